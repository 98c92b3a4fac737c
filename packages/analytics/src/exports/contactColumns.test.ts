import { knownFields } from "@headwater/criteria";
import { expect, test } from "vitest";
import { contactNames } from "./contactColumns.ts";

const fields = knownFields({
  attributes: [
    ["email", "auto"],
    ["customer_id", "auto"],
    ["color", "string"],
    ["loyalty", "string"],
  ],
  identifiers: ["email", "customer_id", "phone", "loyalty", "device"],
});
const names = contactNames({ fields, lists: [] }, new Set(["cID", "email", "customer_id", "phone"]));

test.each([
  ["email", "identifiers.email"],
  ["customer_id", "identifiers.customer_id"],
  ["phone", "identifiers.phone"],
  ["color", "attributes.color"],
  ["device", "identifiers.device"],
])("the bare name %s means %s, whatever attributes there are", (name, field) => {
  expect(names.find(name)).toMatchObject({ kind: "value", field });
});

test("an attribute comes before an identifier that only the data know, and is found by its path in any case", () => {
  expect(names.find("loyalty")).toMatchObject({ field: "attributes.loyalty" });
  expect(names.find("attributes.email")).toMatchObject({ field: "attributes.email" });
  expect(names.find("cID")).toEqual({ kind: "column", column: "cid" });
});

test("all columns are paths, so that none of them means two fields", () => {
  expect(names.all).toEqual(expect.arrayContaining(["attributes.email", "identifiers.email"]));
});
