import { applied, type FoldState, type Outcome, rejected, skipped } from "@headwater/domain";
import type { Origin } from "@headwater/domain/contact";
import { listOf } from "@headwater/domain/list";
import type { ClearListRecord } from "./schema.ts";

/** It is about no contact. */
const NOBODY = 0;

/** One version for the whole list, however many are on it. A name that is unknown has no members: nothing to do. */
export function fold(state: FoldState, record: ClearListRecord, { version }: Origin): Outcome {
  const list = listOf(state, record);
  if (list === undefined) {
    if (record.listName !== undefined) return skipped("ACCOUNT_LISTS_NOT_FOUND");
    return rejected("ACCOUNT_LISTS_NOT_FOUND", "/listId", "The list does not exist.");
  }
  const { clearedVersion } = list;
  if (clearedVersion !== undefined && clearedVersion >= version) {
    return skipped(clearedVersion === version ? "UNCHANGED" : "SUPERSEDED");
  }
  state.clearList(list, version);
  return applied(NOBODY);
}
