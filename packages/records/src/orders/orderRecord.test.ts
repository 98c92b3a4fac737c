import { defaultSettings, type Json, toTimestamp } from "@headwater/contracts";
import fc from "fast-check";
import { expect, test } from "vitest";
import { decimalNumber } from "../views/decimalNumber.ts";
import { fromOrderRow, toOrderDocument } from "./orderDocument.ts";
import { orderRecord } from "./orderRecord.ts";
import { viewOrder } from "./orderView.ts";

const VERSION = "0".repeat(32);
const decimal = fc.oneof(
  fc.constantFrom(
    "1e3",
    " 2.50 ",
    "-0",
    "00012.10",
    "0.00005",
    "99999999999999.9999",
    "123456789012345678",
    "no decimal",
  ),
  fc.double({ min: -1e15, max: 1e15, noNaN: true }),
  fc.tuple(fc.integer(), fc.integer({ min: 0, max: 9_999 })).map(([whole, part]) => `${whole}.${part}`),
  fc.bigInt({ min: 0n, max: 10n ** 15n }).map((digits) => `${digits}.25`),
);
const text = fc.oneof(fc.string(), fc.constantFrom("USD", "EUR", "paid"));
const freeForm = fc.dictionary(fc.string(), fc.jsonValue());
const item = fc.record(
  {
    productID: text,
    name: text,
    itemPrice: decimal,
    salePrice: decimal,
    qty: fc.integer({ min: -5, max: 1_000_000 }),
    images: fc.array(text),
    inStock: fc.boolean(),
    properties: freeForm,
  },
  { requiredKeys: ["productID"] },
);
const members = fc.record(
  {
    status: text,
    items: fc.array(item, { maxLength: 4 }),
    currency: text,
    discountApplication: fc.record({ type: fc.constant("fixed"), amount: decimal }),
    tax: decimal,
    shippingAndHandling: decimal,
    totalAmount: decimal,
    shippingAddress: freeForm,
    properties: freeForm,
    cartID: fc.oneof(text, fc.constant(null)),
  },
  { requiredKeys: [] },
);
const defaults = { currency: "GBP", timezone: defaultSettings.timezone };

test("an order is shown from its stored document as the order that was folded, its decimals as numbers of the same digits", () => {
  fc.assert(
    fc.property(members, (input) => {
      const plain: Record<string, Json> = JSON.parse(JSON.stringify(input));
      const written = Object.entries(plain).map(([name, value]) => [name, { value, version: VERSION }] as const);
      const doc = toOrderDocument({ orderId: "o1", contact: 1, members: new Map(written) });
      const row = { orderId: "o1", purchasedAt: 1_700_000_000_000, doc, cid: "c" };
      expect(JSON.stringify(orderRecord(row, defaults))).toBe(JSON.stringify(recordOf(row)));
    }),
    { numRuns: 1_000 },
  );
});

/** The plain way: the folded order with its decimals as texts, each of which is then made a number. */
function recordOf(row: {
  readonly orderId: string;
  readonly purchasedAt: number;
  readonly doc: string;
  readonly cid: string;
}) {
  const { document } = viewOrder(fromOrderRow(row.orderId, { contact: 1, doc: row.doc }), defaults);
  const { items = [], discountApplication: discount } = document;
  const record: Record<string, unknown> = {
    ...document,
    items: records(items).map(withNumbers(["itemPrice", "salePrice", "amount"])),
  };
  Object.assign(record, { purchaseDate: toTimestamp(row.purchasedAt), cID: row.cid });
  const view = withNumbers(["totalAmount", "tax", "shippingAndHandling"])(record);
  if (!isRecord(discount)) return view;
  const amount = decimalNumber(discount.amount);
  return { ...view, discountApplication: { ...discount, amount }, totalDiscountAmount: amount };
}

type Members = Readonly<Record<string, unknown>>;

function withNumbers(names: readonly string[]) {
  return (record: Members): Members =>
    Object.fromEntries(
      Object.entries(record).map(([name, value]) => [name, names.includes(name) ? decimalNumber(value) : value]),
    );
}

function records(value: Json): Members[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

function isRecord(value: unknown): value is Members {
  return typeof value === "object" && value !== null;
}
