import { checkListTarget, itemOfContact, LIST_ELEMENTS, listReads, splitByContact } from "../listRecords.ts";
import { defineOperation } from "../operation.ts";
import { fold } from "./fold.ts";
import { type Body, body, record } from "./schema.ts";

export const removeContactsFromList = defineOperation({
  name: "removeContactsFromList",
  summary: "Removes contacts from a list.",
  batchItemsMax: 1000,
  body,
  record,
  sample: { identifiers: [{ email: "ann@example.com" }], listName: "vip" },
  check: (item: Body) => checkListTarget(item),
  split: (item: Body) => splitByContact(item),
  itemOf: itemOfContact,
  reads: listReads,
  fold,
  elements: LIST_ELEMENTS,
});
