import { applied, type Folded, type FoldState, folded, skipped, unresolved } from "@headwater/domain";
import { applyMessageEvent, changesChannel, type Origin, resolveContact } from "@headwater/domain/contact";
import { firstIdentifierText, soleIdentifier } from "../soleIdentifier.ts";
import type { CreateContactactivitiesRecord } from "./schema.ts";

/**
 * Resolves the contact the activity belongs to and gives a message's activity its effect on the channel; the activity itself is written by
 * the activities group.
 */
export function fold(state: FoldState, record: CreateContactactivitiesRecord, origin: Origin): Folded {
  const key = activityKey(record, origin);
  if (key !== undefined && state.seenActivity(key)) return folded(skipped("DUPLICATE"));
  const outcome = resolve(state, record, origin);
  if (key !== undefined && outcome.kind === "applied") state.rememberActivity(key);
  return outcome;
}

function resolve(state: FoldState, { contact, event }: CreateContactactivitiesRecord, origin: Origin): Folded {
  const sole = changesChannel(event) ? undefined : soleIdentifier(contact, origin);
  const owner = sole === undefined ? undefined : state.owner(sole, origin.version);
  if (owner !== undefined) return folded(applied(owner));
  const found = resolveContact(state, contact, origin);
  if (found.kind !== "contact") return folded(unresolved(found, "/contact"));
  const effects = applyMessageEvent(state, found.contact, { event, origin });
  return folded(applied(found.contact.number, found.warnings), [...found.changeEvents, ...effects]);
}

/** Names an activity for as long as the window of its partition remembers it: account, identity as given, UID. */
export function activityKey(
  record: CreateContactactivitiesRecord,
  origin: Pick<Origin, "account">,
): string | undefined {
  if (record.event.UID === undefined) return undefined;
  return `${origin.account.number}\n${firstIdentifierText(record.contact, origin)}\n${record.event.UID}`;
}
