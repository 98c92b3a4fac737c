import { checkListTarget } from "../listRecords.ts";
import { defineInternalOperation } from "../operation.ts";
import { fold } from "./fold.ts";
import { type Body, body, record } from "./schema.ts";

/** A partner's wish that a list be empty: who came onto it before this record is gone, who comes later stays. */
export const clearList = defineInternalOperation({
  name: "clearList",
  body,
  record,
  sample: { listName: "vip" },
  check: (item: Body) => checkListTarget(item),
  split: ({ listName, listId }) => {
    const list = listName === undefined ? { listId } : { listName };
    return [{ key: { name: "list", value: listName?.toLowerCase() ?? `#${listId}` }, members: list }];
  },
  reads: ({ listName, listId }) => ({ identifiers: [], members: false, listName, listId, clearsList: true }),
  fold,
});
