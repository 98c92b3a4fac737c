import { applied, type Folded, type FoldState, folded, rejected, skipped } from "@headwater/domain";
import type { Origin } from "@headwater/domain/contact";
import { listOf } from "@headwater/domain/list";
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
