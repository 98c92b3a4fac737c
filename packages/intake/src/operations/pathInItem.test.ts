import { expect, test } from "vitest";
import { pathInItem } from "../receipts/routes/getReceipt.ts";

test.each([
  ["addContactsToList", "/identifiers/0", "/identifiers/7"],
  ["removeContactsFromList", "/listId", "/listId"],
  ["upsertSupplementsRecords", "/records/0/year", "/records/7/year"],
  ["upsertSupplementsRecords", "/supplement", "/supplement"],
  ["createContactactivities", "/contact/identifiers", "/contact/identifiers"],
  ["upsertOrder", "/order/items/0", "/order/items/0"],
])("%s: %s of element 7 is %s of its item", (operation, path, position) => {
  expect(pathInItem({ recordId: "r:3:7", operation, path })).toBe(position);
});
