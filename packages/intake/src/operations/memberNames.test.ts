import { type Account, defaultSettings } from "@headwater/contracts";
import { describe, expect, it } from "vitest";
import { validatedOperations } from "./registry.ts";
import { validateItem } from "./validateItem.ts";

const NOW_MS = Date.parse("2026-01-10T00:00:00Z");
const account: Account = { number: 1, id: "a".repeat(24), name: "test", settings: defaultSettings };

function detailsOf(name: string, item: unknown): readonly (readonly [path: string, code: string])[] {
  const operation = validatedOperations.find((one) => one.name === name);
  if (operation === undefined) throw new Error(`no operation ${name}`);
  const verdict = validateItem(operation, account, item, { nowMs: NOW_MS, scopes: [] });
  return verdict.kind === "rejected" ? verdict.details.map(({ path, code }) => [path, code]) : [];
}

const contact = { identifiers: { email: "ann@example.com" } };
const event = { name: "browse", time: "2026-01-09T22:47:12Z" };
const line = { productID: "p", sku: "s", category: "c", name: "n", qty: 1 };
const item = { productID: "p", sku: "s", name: "n" };
const purchase = { orderID: "o", purchaseDate: "2026-01-09" };

/** Everywhere an intake body holds members whose names its sender chooses: a body with them, and the pointer to them. */
const paths: readonly (readonly [string, string, (members: object) => unknown, string])[] = [
  [
    "an activity's properties",
    "createContactactivities",
    (properties) => ({ contact, contactactivities: [event, { ...event, properties }] }),
    "/contactactivities/1/properties",
  ],
  [
    "an order's properties",
    "upsertOrder",
    (properties) => ({ contact, order: { ...purchase, items: [item], properties } }),
    "/order/properties",
  ],
  [
    "an order item's properties",
    "upsertOrder",
    (properties) => ({ contact, order: { ...purchase, items: [item, { ...item, properties }] } }),
    "/order/items/1/properties",
  ],
  [
    "an order item's attr",
    "upsertOrder",
    (attr) => ({ contact, order: { ...purchase, items: [{ ...item, attr }] } }),
    "/order/items/0/attr",
  ],
  [
    "a cart line's properties",
    "addProductsToCart",
    (properties) => ({ contact, products: [{ ...line, properties }] }),
    "/products/0/properties",
  ],
  [
    "a cart line's attr",
    "addProductsToCart",
    (attr) => ({ contact, products: [line, { ...line, attr }] }),
    "/products/1/attr",
  ],
];

/** Paths where names are not nested: they stay as they come, whatever dots they have. */
const flatPaths: typeof paths = [
  ["attributes", "upsertContact", (attributes) => ({ ...contact, attributes: { a: 1, ...attributes } }), "/attributes"],
  [
    "attributes of an activity's contact",
    "createContactactivities",
    (attributes) => ({ contact: { ...contact, attributes: { a: 1, ...attributes } }, contactactivities: [event] }),
    "/contact/attributes",
  ],
  [
    "a supplement record",
    "upsertSupplementsRecords",
    (fields) => ({ supplement: "cars", records: [{ id: "1" }, { id: "2", ...fields }] }),
    "/records/1",
  ],
];

describe.each([...paths, ...flatPaths])("numbers in %s", (_what, operation, bodyWith, at) => {
  it("are refused with their place, at every level, where no double holds them", () => {
    const members = JSON.parse('{"n": 1e308, "large": 1e400, "list": [1, -1e999], "deep": {"n": 1e999}}');
    expect(detailsOf(operation, bodyWith(members)).toSorted()).toEqual([
      [`${at}/deep/n`, "bad_value"],
      [`${at}/large`, "bad_value"],
      [`${at}/list/1`, "bad_value"],
    ]);
  });
});

describe("an attribute", () => {
  const detailsWith = (attributes: object) => detailsOf("upsertContact", { ...contact, attributes });

  it("is refused without a name", () => {
    expect(detailsWith({ "": "x" })).toEqual([["/attributes/", "required"]]);
  });

  it("is refused that is half an edit of an array", () => {
    expect(detailsWith({ a: { add: "c" }, b: { add: [], remove: 1 } })).toEqual([
      ["/attributes/a/add", "type_mismatch"],
      ["/attributes/b/remove", "type_mismatch"],
    ]);
    expect(detailsWith({ a: { add: ["c"] }, b: { add: "c", x: 1 }, c: {}, d: null })).toEqual([]);
  });
});

const longest = "é".repeat(512);

describe.each([...paths, ...flatPaths])("names in %s", (_what, operation, bodyWith, at) => {
  it("have at most 1,024 bytes, at every level", () => {
    const tooLong = `${longest}x`;
    expect(detailsOf(operation, bodyWith({ [longest]: 1, a: { [longest]: 1 } }))).toEqual([]);
    expect(detailsOf(operation, bodyWith({ [tooLong]: 1 }))).toEqual([[`${at}/${tooLong}`, "too_long"]]);
    expect(detailsOf(operation, bodyWith({ a: [{ [tooLong]: 1 }] }))).toEqual([[`${at}/a/0/${tooLong}`, "too_long"]]);
  });

  it("of thousands of parts are refused with their place", () => {
    const name = `0${".0".repeat(4_499)}`;
    expect(detailsOf(operation, bodyWith({ [name]: 1 }))).toEqual([[`${at}/${name}`, "too_long"]]);
  });

  it("names that the language knows are names like any other in %s", () => {
    const names = ["constructor", "toString", "valueOf", "hasOwnProperty", "a.__proto__.b", "__defineGetter__"];
    expect(detailsOf(operation, bodyWith(Object.fromEntries(names.map((name) => [name, 1]))))).toEqual([]);
  });
});

describe.each(paths)("a dotted name in %s", (_what, operation, bodyWith, at) => {
  it.each([
    [{ "a.b.c.d.e": 1 }, []],
    [{ "a.b.c.d": {} }, []],
    [{ "a.b": { c: { d: { "e.f.g": 1 } } } }, []],
    [{ "a.b.c.d.e.f": 1 }, [["/a.b.c.d.e.f", "too_many"]]],
    [{ "a.b.c.d.e": {} }, [["/a.b.c.d.e", "out_of_range"]]],
    [{ fine: 1, "a.b": { c: { d: { e: {} } } } }, [["/a.b", "out_of_range"]]],
    [{ a: { b: { c: { d: { e: {} } } } } }, [["", "out_of_range"]]],
    [{ ".....": 1 }, [["/.....", "too_many"]]],
  ])("has as many levels as parts: %j", (members, wanted) => {
    expect(detailsOf(operation, bodyWith(members))).toEqual(wanted.map(([path, code]) => [`${at}${path}`, code]));
  });
});

describe.each(flatPaths)("a dotted name in %s", (_what, operation, bodyWith) => {
  it("is not nested and has as many parts as it wants", () => {
    expect(detailsOf(operation, bodyWith({ [`0${".0".repeat(511)}`]: 1 }))).toEqual([]);
  });
});

describe("what is wrong with many names", () => {
  it("is found for the first ten of properties, and for one more of attributes than the hundred that are shown", () => {
    const wrong = Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`a.b.c.d.e.${n}`, 1]));
    const activity = { contact, contactactivities: [{ ...event, properties: wrong }] };
    expect(detailsOf("createContactactivities", activity)).toHaveLength(10);
    const long = Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`${"x".repeat(1_024)}${n}`, 1]));
    expect(detailsOf("upsertContact", { ...contact, attributes: long })).toHaveLength(101);
  });
});
