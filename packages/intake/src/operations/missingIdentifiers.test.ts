import { type Account, defaultSettings } from "@headwater/contracts";
import { expect, test } from "vitest";
import type { Operation } from "./operation.ts";
import { operations } from "./registry.ts";
import { type ItemVerdict, validateItem } from "./validateItem.ts";

const nowMs = Date.parse("2026-01-10T00:00:00Z");
const account: Account = { number: 1, id: "a".repeat(24), name: "test", settings: defaultSettings };

function validate(name: string, item: unknown): ItemVerdict {
  const found = operations.find((operation: Operation) => operation.name === name);
  if (found === undefined) throw new Error(`no operation ${name}`);
  return validateItem(found, account, item, { nowMs, scopes: ["intake"] });
}

test.each(["n/a", " N/A ", "none", "NULL", "undefined", "-", "—", "unknown"])(
  "%j is no identifier: an item that names a contact by it alone is refused at every operation",
  (value) => {
    const contact = { identifiers: { email: value } };
    const product = { productID: "p", sku: "s", category: "c", name: "Heart", qty: 1 };
    const order = { orderID: "o-1", purchaseDate: "2026-01-09T08:26:00Z", items: [product] };
    const items: readonly (readonly [string, object, string])[] = [
      ["upsertContact", contact, "/identifiers/email"],
      ["upsertContact", { identifiers: { customer_id: value, phone: value } }, "/identifiers/phone"],
      ["upsertContact", { identifiers: { "channels.email.address": value } }, "/identifiers/channels.email.address"],
      [
        "createContactactivities",
        { contact, contactactivities: [{ name: "visit", time: order.purchaseDate }] },
        "/contact/identifiers/email",
      ],
      [
        "addContactsToList",
        { listName: "vip", identifiers: [{ email: "ann@example.com" }, { loyalty: value }] },
        "/identifiers/1/loyalty",
      ],
      ["upsertOrder", { contact, order }, "/contact/identifiers/email"],
      ["addProductsToCart", { contact, products: [product] }, "/contact/identifiers/email"],
    ];
    for (const [name, item, path] of items) {
      const message = expect.stringMatching(/^The contact has no identifier: .* says that there is no value\.$/);
      expect(validate(name, item), name).toMatchObject({
        kind: "rejected",
        code: "VALIDATION_ERROR",
        details: [{ path, code: "bad_value", message }],
      });
    }
  },
);

test("an identifier that says that there is no value is ignored with a warning where another stands", () => {
  const item = {
    identifiers: { customer_id: "n/a", loyalty: "-", email: "ann@example.com" },
    attributes: { customer_id: "None", anonymousId: "undefined", company: "n/a" },
    canBeCreated: true,
  };
  const paths = [
    "/identifiers/customer_id",
    "/identifiers/loyalty",
    "/attributes/customer_id",
    "/attributes/anonymousId",
  ];
  expect(validate("upsertContact", item)).toMatchObject({
    records: [{ identity: `${account.id}\nemail\nann@example.com` }],
    warnings: paths.map((path) => ({ path, code: "missing_value", message: expect.any(String) })),
  });
});
