import { checkListTarget, itemOfContact, LIST_ELEMENTS, listReads, splitByContact } from "../listRecords.ts";
import { defineOperation } from "../operation.ts";
import { fold } from "./fold.ts";
import { type AddContactsToListRecord, type Body, body, record } from "./schema.ts";

export const addContactsToList = defineOperation({
  name: "addContactsToList",
  summary: "Adds contacts to a list. An unknown list name is created.",
  batchItemsMax: 1000,
  body,
  record,
  sample: { identifiers: [{ email: "ann@example.com" }, { customer_id: 4712 }], listName: "vip", canBeCreated: true },
  check: (item: Body) => checkListTarget(item),
  split: (item: Body) => splitByContact(item, item.canBeCreated),
  itemOf: ({ canBeCreated, ...record }: AddContactsToListRecord) => {
    return { ...itemOfContact(record), ...(canBeCreated === undefined ? {} : { canBeCreated }) };
  },
  reads: listReads,
  fold,
  elements: LIST_ELEMENTS,
});
