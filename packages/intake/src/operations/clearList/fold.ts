import type { Origin } from "@headwater/records/contacts/contactIndex";
import type { FoldState } from "@headwater/records/fold/foldState";
import { applied, type Folded, folded, rejected, skipped } from "@headwater/records/fold/outcome";
import { listOf } from "@headwater/records/lists/membership";
import type { ClearListRecord } from "./schema.ts";

/** It is about no contact. */
const NOBODY = 0;

/** One version for the whole list, however many are on it. A name that is unknown has no members: nothing to do. */
export function fold(state: FoldState, record: ClearListRecord, { version }: Origin): Folded {
  const list = listOf(state, record);
  if (list === undefined) {
    if (record.listName !== undefined) return folded(skipped("ACCOUNT_LISTS_NOT_FOUND"));
    return folded(rejected("ACCOUNT_LISTS_NOT_FOUND", "/listId", "The list does not exist."));
  }
  const { clearedVersion } = list;
  if (clearedVersion !== undefined && clearedVersion >= version) {
    return folded(skipped(clearedVersion === version ? "UNCHANGED" : "SUPERSEDED"));
  }
  state.clearList(list, version);
  return folded(applied(NOBODY));
}
