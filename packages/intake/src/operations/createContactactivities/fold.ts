import { type Version, versionPositionsBefore } from "@headwater/contracts";
import type { Origin } from "@headwater/records/contacts/contactIndex";
import { applyMessageEvent, changesChannel } from "@headwater/records/contacts/messageEvents";
import { resolveContact } from "@headwater/records/contacts/resolveContact";
import type { FoldState } from "@headwater/records/fold/foldState";
import { applied, type Folded, folded, skipped, unresolved } from "@headwater/records/fold/outcome";
import { firstIdentifierText, soleIdentifier } from "../soleIdentifier.ts";
import type { CreateContactactivitiesRecord } from "./schema.ts";

/**
 * Resolves the contact the activity belongs to and gives a message's activity its effect on the channel; the activity itself is written by
 * the activities group.
 */
export function fold(state: FoldState, record: CreateContactactivitiesRecord, origin: Origin): Folded {
  const key = activityKey(record, origin);
  if (key !== undefined && state.seenActivity(key)) return repeat(state, record, origin);
  const outcome = resolve(state, record, origin);
  if (key !== undefined && outcome.kind === "applied") state.rememberActivity(key);
  return record.row !== undefined && outcome.kind === "applied" ? { ...outcome, created: true } : outcome;
}

/**
 * Leaves a repeated activity out. Its item may have more of them, and so the attributes, which the first record carries, are written all the
 * same; but a repeat makes no contact, for the one it had was known.
 */
function repeat(state: FoldState, { contact }: CreateContactactivitiesRecord, origin: Origin): Folded {
  if (contact.attributes === undefined) return folded(skipped("DUPLICATE"));
  const found = resolveContact(state, { ...contact, canBeCreated: false }, origin);
  if (found.kind === "contact") return folded(skipped("DUPLICATE", found.warnings), found.changeEvents);
  return folded(found.kind === "rejected" ? unresolved(found, "/contact") : skipped("DUPLICATE"));
}

function resolve(state: FoldState, { contact, event }: CreateContactactivitiesRecord, origin: Origin): Folded {
  const sole = changesChannel(event) ? undefined : soleIdentifier(contact, origin);
  const foundAt = firstOfItem(origin);
  const owner = sole === undefined ? undefined : state.owner(sole, foundAt);
  if (owner !== undefined) return folded(applied(owner));
  const found = resolveContact(state, contact, foundAt === origin.version ? origin : { ...origin, foundAt });
  if (found.kind !== "contact") return folded(unresolved(found, "/contact"));
  const effects = applyMessageEvent(state, found.contact, { event, origin });
  return folded(applied(found.contact.number, found.warnings), [...found.changeEvents, ...effects]);
}

/**
 * Returns the version of the first record of the item: its attributes may replace the identifiers by which the item names its contact, and
 * all activities of the item are that contact's. Records of one item share a frame, in the order of their elements, which their ids tell.
 */
function firstOfItem({ recordId, version }: Origin): Version {
  const element = recordId.slice(recordId.lastIndexOf(":") + 1);
  return element === "0" || !ELEMENT.test(element) ? version : versionPositionsBefore(version, Number(element));
}

const ELEMENT = /^\d{1,3}$/;

/** Names an activity for as long as the window of its partition remembers it: account, identity as given, UID. */
export function activityKey(
  record: CreateContactactivitiesRecord,
  origin: Pick<Origin, "account">,
): string | undefined {
  if (record.event.UID === undefined) return undefined;
  return `${origin.account.number}\n${firstIdentifierText(record.contact, origin)}\n${record.event.UID}`;
}
