import type { shapes } from "@headwater/contracts";
import type { Origin } from "@headwater/records/contacts/contactIndex";
import { resolveContact } from "@headwater/records/contacts/resolveContact";
import type { FoldState } from "@headwater/records/fold/foldState";
import { type Folded, folded, rejected, skipped, unresolved, upserted } from "@headwater/records/fold/outcome";
import type { List } from "@headwater/records/lists/list";
import { writeMembership } from "@headwater/records/lists/membership";
import { knownContact } from "./knownContact.ts";
import type { ImportContactRecord } from "./schema.ts";
import { withStoredChannels } from "./storedChannels.ts";
import { withStoredValues } from "./storedValues.ts";

/** Writes the contact and its memberships by the rules of `upsertContact` and of the list operations, as one record. */
export function fold(state: FoldState, record: ImportContactRecord, origin: Origin): Folded {
  const { strategy } = record;
  if (strategy === "insertOnly" && knownContact(state, origin) !== undefined) {
    return folded(skipped("UPDATE_NOT_ALLOWED"));
  }
  const lists = listsOf(state, record);
  if (lists === undefined) {
    return folded(rejected("ACCOUNT_LISTS_NOT_FOUND", "/lists", "A list of the row does not exist."));
  }
  const found = resolveContact(state, writeOf(state, record, origin), origin);
  if (found.kind === "unknown" && strategy === "updateOnly") return folded(skipped("CREATE_NOT_ALLOWED"));
  if (found.kind !== "contact") return folded(unresolved(found, "/contact"));
  const { contact, created, identityChanged, tally, warnings } = found;
  const written = lists.map(({ list, present }) =>
    writeMembership(state, { list, contact: contact.number, present }, origin),
  );
  const events = [...found.changeEvents, ...written.flatMap(({ changeEvents }) => changeEvents)];
  const kinds = written.map(({ kind }) => kind);
  if (identityChanged || tally.changed > 0 || kinds.includes("applied")) {
    return folded(upserted(contact.number, created, warnings), events);
  }
  const isSuperseded = tally.superseded > 0 || kinds.includes("superseded");
  return folded(skipped(isSuperseded ? "SUPERSEDED" : "UNCHANGED", warnings), events);
}

/** Returns the write of the row, in which what the contact shows already stands as it is stored. */
function writeOf(
  state: FoldState,
  { contact, isSpelled = false, spellsStructures = false }: ImportContactRecord,
  origin: Origin,
): shapes.ContactWrite {
  const write = withStoredChannels(state, contact, origin);
  if (isSpelled) return withStoredValues(state, write, origin, "all");
  return spellsStructures ? withStoredValues(state, write, origin, "structures") : write;
}

interface Listed {
  readonly list: List;
  readonly present: boolean;
}

/** @returns undefined when the contact would be put on a list that is not there any more. */
function listsOf(state: FoldState, { lists = {} }: ImportContactRecord): Listed[] | undefined {
  const result: Listed[] = [];
  for (const [id, present] of Object.entries(lists)) {
    const list = state.listById(Number(id));
    if (list !== undefined) result.push({ list, present });
    else if (present) return undefined;
  }
  return result;
}
