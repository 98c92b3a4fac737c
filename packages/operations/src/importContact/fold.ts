import { type FoldState, type List, type Outcome, rejected, skipped, unresolved, upserted } from "@headwater/domain";
import { type Origin, resolveContact } from "@headwater/domain/contact";
import { writeMembership } from "@headwater/domain/list";
import type { ImportContactRecord } from "./schema.ts";

/** Writes the contact and its memberships by the rules of `upsertContact` and of the list operations, as one record. */
export function fold(state: FoldState, record: ImportContactRecord, origin: Origin): Outcome {
  const { contact: write, strategy } = record;
  if (strategy === "insertOnly" && isKnown(state, origin)) return skipped("UPDATE_NOT_ALLOWED");
  const lists = listsOf(state, record);
  if (lists === undefined) return rejected("ACCOUNT_LISTS_NOT_FOUND", "/lists", "A list of the row does not exist.");
  const found = resolveContact(state, write, origin);
  if (found.kind === "unknown" && strategy === "updateOnly") return skipped("CREATE_NOT_ALLOWED");
  if (found.kind !== "contact") return unresolved(found, "/contact");
  const { contact, created, identityChanged, tally, warnings } = found;
  const written = lists.map(({ list, present }) =>
    writeMembership(state, { list, contact: contact.number, present }, origin),
  );
  if (identityChanged || tally.changed > 0 || written.includes("applied")) {
    return upserted(contact.number, created, warnings);
  }
  return skipped(tally.superseded > 0 || written.includes("superseded") ? "SUPERSEDED" : "UNCHANGED", warnings);
}

/** Returns whether any identifier of the record finds somebody. */
function isKnown(state: FoldState, { read, version }: Origin): boolean {
  const given = read?.given;
  return given?.kind === "ok" && given.identifiers.some((identifier) => state.find(identifier, version) !== undefined);
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
