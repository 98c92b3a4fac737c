import { type Account, accountSettings, defaultSettings } from "@headwater/contracts";
import { describe, expect, it } from "vitest";
import type { Operation } from "./operation.ts";
import { operations } from "./registry.ts";
import { type ItemVerdict, validateItem } from "./validateItem.ts";

const NOW_MS = Date.parse("2026-01-10T00:00:00Z");
const account: Account = { number: 1, id: "a".repeat(24), name: "test", settings: defaultSettings };

function operationNamed(name: string): Operation {
  const found = operations.find((operation: Operation) => operation.name === name);
  if (found === undefined) throw new Error(`no operation ${name}`);
  return found;
}

function validate(name: string, item: unknown, scopes: readonly string[] = ["intake"]): ItemVerdict {
  return validateItem(operationNamed(name), account, item, { nowMs: NOW_MS, scopes });
}

function detailsOf(verdict: ItemVerdict): readonly string[] {
  return verdict.kind === "rejected" ? verdict.details.map(({ path, code }) => `${path} ${code}`) : [];
}

function nested(levels: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level++) value = { a: value };
  return value;
}

const identifiers = { email: "Ann@Example.com" };
const contact = { identifiers };
const product = { productID: "p", sku: "s", category: "c", name: "n", qty: 1 };
const event = { name: "browse", time: "2026-01-09T22:47:12Z" };

it("an address that is empty after trimming is refused at its place, of any channel and in any operation", () => {
  const attributes = { channels: { email: { address: "  " }, sms: { address: "\u00a0" }, "a/b": { address: "x" } } };
  expect(detailsOf(validate("upsertContact", { identifiers, attributes }))).toEqual([
    "/attributes/channels/email/address required",
    "/attributes/channels/sms/address required",
  ]);
  const body = { contact: { identifiers, attributes }, products: [product] };
  expect(detailsOf(validate("addProductsToCart", body))).toContain(
    "/contact/attributes/channels/email/address required",
  );
});

it.each([
  ["upsertContact", { identifiers: { email: "nobody" } }, ["/identifiers/email"]],
  ["upsertContact", { identifiers: { "channels.sms.address": "12" } }, ["/identifiers/channels.sms.address"]],
  [
    "upsertContact",
    { identifiers, attributes: { email: "a b@x.org", channels: { sms: { address: "12" } } } },
    ["/attributes/email", "/attributes/channels/sms/address"],
  ],
  [
    "addProductsToCart",
    { contact: { identifiers: { email: "@x.org" } }, products: [product] },
    ["/contact/identifiers/email"],
  ],
  ["addContactsToList", { listName: "vip", identifiers: [identifiers, { phone: 12 }] }, ["/identifiers/1/phone"]],
  [
    "upsertContact",
    { identifiers: { email: "none", phone: "n/a", customer_id: "7" } },
    ["/identifiers/email", "/identifiers/phone"],
  ],
  ["upsertContact", { identifiers: { phone: "ask her" } }, ["/identifiers/phone"]],
  [
    "upsertSupplementsRecords",
    { supplement: "cars", records: [{ email: "ann@example.com" }, { email: "nobody" }] },
    ["/records/1/email"],
  ],
])("%s names what is no address", (name, item, paths) => {
  const verdict = validate(name, item);
  const warnings = paths.map((path) => ({ path, code: "not_an_address", message: expect.any(String) }));
  expect(verdict).toMatchObject({ kind: "accepted", warnings });
});

it.each([
  ["upsertContact", { identifiers: { Email: "ann@example.com" } }, { "/identifiers/Email": "email" }],
  [
    "upsertContact",
    { identifiers: { ...identifiers, "customer-id": "7" } },
    { "/identifiers/customer-id": "customer_id" },
  ],
  [
    "upsertContact",
    { identifiers: { "Channels.Email.address": "a@x.org", CID: "1" } },
    { "/identifiers/Channels.Email.address": "channels.email.address", "/identifiers/CID": "cID" },
  ],
  [
    "upsertContact",
    {
      identifiers,
      attributes: { "E-Mail": "a", Channels: {}, channels: { Email: { subscribeStatus: "unsubscribed" } } },
    },
    {
      "/attributes/E-Mail": "email",
      "/attributes/Channels": "channels",
      "/attributes/channels/Email": "email",
    },
  ],
  [
    "addProductsToCart",
    { contact: { identifiers: { Phone: "1" } }, products: [product] },
    { "/contact/identifiers/Phone": "phone" },
  ],
  [
    "addContactsToList",
    { listName: "vip", identifiers: [identifiers, { EMAIL: "a" }] },
    { "/identifiers/1/EMAIL": "email" },
  ],
  ["upsertContact", { identifiers: { ...identifiers, loyalty: "7" }, attributes: { mail: "a", Name: "b" } }, {}],
])("%s warns of a free name that is a known one but for case and hyphens", (name, item, suggestions) => {
  const warnings = Object.entries(suggestions).map(([path, suggestion]) => ({
    ...{ path, code: "similar_name", message: expect.any(String), suggestion },
  }));
  expect(validate(name, item)).toMatchObject({ kind: "accepted", warnings });
});

it("a text in place of an address is nobody's identity beside another identifier", () => {
  const verdict = validate("upsertContact", { identifiers: { email: "none", phone: "n/a", customer_id: "7" } });
  expect(verdict).toMatchObject({ records: [{ identity: `${account.id}\ncustomer_id\n7` }] });
});

it("words of enums are read without case, and stored as they are listed, beside members that are ignored", () => {
  const channels = { email: { subscribeStatus: "Unsubscribed" } };
  const item = { identifiers, attributes: { channels }, canBeUpdated: true };
  const verdicts = [item, { ...item, colour: 1 }].map((one) => validate("upsertContact", one));
  for (const verdict of verdicts) {
    if (verdict.kind === "rejected") throw new Error(JSON.stringify(verdict.details));
    const stored = { contact: { attributes: { channels: { email: { subscribeStatus: "unsubscribed" } } } } };
    expect(verdict.records[0]?.members).toMatchObject(stored);
  }
  expect(
    detailsOf(validate("upsertContact", { ...item, attributes: { channels: { email: { subscribeStatus: "out" } } } })),
  ).toEqual(["/attributes/channels/email/subscribeStatus bad_value"]);
});

describe("what is accepted", () => {
  it.each(operations.map((operation: Operation) => [operation.name, operation] as const))(
    "the sample of %s is accepted without a warning",
    (_name, operation) => {
      const verdict = validateItem(operation, account, operation.sample, { nowMs: NOW_MS, scopes: [] });
      expect(verdict).toMatchObject({ kind: "accepted", warnings: [] });
    },
  );

  it("makes one record of every event, all with the identity of the contact", () => {
    const verdict = validate("createContactactivities", {
      contact: { identifiers },
      contactactivities: [event, event],
    });
    const identity = `${account.id}\nemail\nann@example.com`;
    expect(verdict).toMatchObject({ kind: "accepted", records: [{ identity }, { identity }] });
  });

  it("makes one record of every contact of a list, each with its own identity", () => {
    const verdict = validate("addContactsToList", { identifiers: [identifiers, { customer_id: 7 }], listName: "vip" });
    const identities =
      verdict.kind === "accepted" ? verdict.records.map((record) => record.identity.split("\n")[2]) : [];
    expect(identities).toEqual(["ann@example.com", "7"]);
  });

  it("makes one record of every supplement record: with its contact's identity when it names one, else with its own", () => {
    const records = [{ id: "1", email: "Ann@Example.com" }, { id: "2" }, { model: "A" }];
    const verdict = validate("upsertSupplementsRecords", { supplement: "cars", records });
    const identities = verdict.kind === "accepted" ? verdict.records.map(({ identity }) => identity) : [];
    expect(identities).toEqual(
      ["email\nann@example.com", "supplement cars\n2", "supplement cars\n#2"].map((text) => `${account.id}\n${text}`),
    );
  });

  it("distinguishes the source from the record's members", () => {
    const verdict = validate("upsertContact", { identifiers, source: "shop" });
    expect(verdict).toMatchObject({
      kind: "accepted",
      source: "shop",
      records: [{ members: { contact: { identifiers } } }],
    });
  });
});

it("an order's members may be null, which removes them, but for those without which it is none", () => {
  const { orderID, purchaseDate, items } = Object(operationNamed("upsertOrder").sample).order;
  const bare = { orderID, purchaseDate, items };
  const nulls = { status: null, currency: null, discountApplication: null, tax: null, properties: null, cartID: null };
  expect(validate("upsertOrder", { contact, order: { ...bare, ...nulls } })).toMatchObject({
    kind: "accepted",
    records: [{ members: { order: bare, removed: Object.keys(nulls) } }],
  });
  expect(detailsOf(validate("upsertOrder", { contact, order: { ...bare, items: null, purchaseDate: null } }))).toEqual([
    "/order/purchaseDate type_mismatch",
    "/order/items type_mismatch",
  ]);
});

describe("members that no shape names", () => {
  it("are ignored and named with the nearest known name", () => {
    const verdict = validate("upsertContact", { identifiers, atributes: { a: 1 } });
    expect(verdict).toMatchObject({
      kind: "accepted",
      warnings: [{ path: "/atributes", code: "unknown_member", suggestion: "attributes" }],
      records: [{ members: { contact: { identifiers } } }],
    });
  });

  it("are not suggested their own name where they only stand in the wrong place", () => {
    const { sample } = operationNamed("upsertOrder");
    const verdict = validate("upsertOrder", { ...Object(sample), cartID: "c", cartid: "c" });
    expect(verdict.kind === "accepted" && verdict.warnings.map(({ path, suggestion }) => [path, suggestion])).toEqual([
      ["/cartID", undefined],
      ["/cartid", "cartID"],
    ]);
  });

  it("are found at every depth and the item given in is left as it was", () => {
    const item = {
      contact: { identifiers, foo: 1 },
      contactactivities: [event, { ...event, geo: { town: "x" } }],
      bar: 2,
    };
    const before = JSON.stringify(item);
    const verdict = validate("createContactactivities", item);
    const paths = verdict.kind === "accepted" ? verdict.warnings.map(({ path }) => path) : [];
    expect(paths.toSorted()).toEqual(["/bar", "/contact/foo", "/contactactivities/1/geo/town"]);
    expect(JSON.stringify(item)).toBe(before);
    expect(JSON.stringify(verdict)).not.toContain('"foo"');
  });

  it("do not hide what else is wrong", () => {
    expect(detailsOf(validate("upsertContact", { foo: 1, identifiers: { email: 1.5 } }))).toContain(
      "/identifiers/email type_mismatch",
    );
  });

  it("are named twenty at most, however many there are", () => {
    const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`unknown${index}`, 1]));
    const verdict = validate("upsertContact", { ...many, identifiers });
    expect(verdict.kind === "accepted" && verdict.warnings.length).toBe(20);
  });
});

describe("what is refused", () => {
  it.each([
    ["upsertContact", { identifiers: {} }, "/identifiers required"],
    ["upsertContact", { identifiers: { email: "  " } }, "/identifiers/email bad_value"],
    ["upsertContact", { identifiers: { id: 2 ** 53 } }, "/identifiers/id out_of_range"],
    ["upsertContact", { identifiers, canBeCreated: true }, "/attributes required"],
    ["upsertContact", {}, "/identifiers required"],
    ["upsertContact", { identifiers, source: { length: { toString: 0 } } }, "/source type_mismatch"],
    ["upsertContact", 7, " type_mismatch"],
    ["upsertContact", [], " type_mismatch"],
    ["upsertContact", null, " type_mismatch"],
    [
      "createContactactivities",
      { contact: { identifiers: { phone: " " } }, contactactivities: [event] },
      "/contact/identifiers/phone bad_value",
    ],
    ["createContactactivities", { contact: { identifiers }, contactactivities: [] }, "/contactactivities required"],
    [
      "createContactactivities",
      { contact: { identifiers }, contactactivities: [{ ...event, time: "yesterday" }] },
      "/contactactivities/0/time bad_value",
    ],
    [
      "createContactactivities",
      { contact: { identifiers }, contactactivities: [{ ...event, time: "2026-02-30" }] },
      "/contactactivities/0/time bad_value",
    ],
    [
      "createContactactivities",
      { contact: { identifiers }, contactactivities: [{ ...event, time: "1969-12-31" }] },
      "/contactactivities/0/time out_of_range",
    ],
    [
      "createContactactivities",
      { contact: { identifiers }, contactactivities: [{ ...event, time: "2026-01-12" }] },
      "/contactactivities/0/time out_of_range",
    ],
    [
      "createContactactivities",
      { contact: { identifiers }, contactactivities: [{ ...event, name: "x".repeat(41) }] },
      "/contactactivities/0/name too_long",
    ],
    [
      "createContactactivities",
      { contact: { identifiers }, contactactivities: Array(101).fill(event) },
      "/contactactivities too_many",
    ],
    [
      "addContactsToList",
      { identifiers: [identifiers, { email: " " }], listName: "vip" },
      "/identifiers/1/email bad_value",
    ],
    ["addContactsToList", { identifiers: [identifiers] }, "/listName required"],
    ["addProductsToCart", { contact, products: [] }, "/products required"],
    ["addProductsToCart", { contact, products: Array(501).fill(product) }, "/products too_many"],
    ["addProductsToCart", { contact, products: [{ ...product, qty: 0 }] }, "/products/0/qty out_of_range"],
    ["addProductsToCart", { contact, products: [{ ...product, qty: 1.5 }] }, "/products/0/qty type_mismatch"],
    ["addProductsToCart", { contact, products: [{ ...product, sku: undefined }] }, "/products/0/sku required"],
    ["addProductsToCart", { contact, products: [{ ...product, itemPrice: "ten" }] }, "/products/0/itemPrice bad_value"],
    [
      "addProductsToCart",
      { contact, products: [{ ...product, properties: nested(6) }] },
      "/products/0/properties out_of_range",
    ],
    ["addProductsToCart", { contact, products: [product], cart: { expiration: "soon" } }, "/cart/expiration bad_value"],
    ["removeProductsFromCart", { contact, products: [{ productID: "p", qty: -1 }] }, "/products/0/qty out_of_range"],
    ["removeProductsFromCart", { products: [{ productID: "p", qty: 1 }] }, "/contact required"],
    ["upsertSupplementsRecords", { supplement: "cars", records: [] }, "/records required"],
    ["upsertSupplementsRecords", { supplement: "cars", records: Array(501).fill({ id: "1" }) }, "/records too_many"],
    ["upsertSupplementsRecords", { records: [{ id: "1" }] }, "/supplement required"],
    ["upsertSupplementsRecords", { supplement: "cars", records: [{ id: 1 }] }, "/records/0/id type_mismatch"],
    [
      "upsertSupplementsRecords",
      { supplement: "cars", records: [{ id: "1", a: nested(60) }] },
      "/records/0/a out_of_range",
    ],
  ])("%s %j: %s", (name, item, detail) => {
    expect(detailsOf(validate(name, item))).toEqual([detail]);
  });

  it("tells a value of the wrong type once, whatever its length", () => {
    const verdict = validate("createContactactivities", { contact, contactactivities: "" });
    expect(detailsOf(verdict)).toEqual(["/contactactivities type_mismatch"]);
  });

  it("more identifiers than a contact may have", () => {
    const many = Object.fromEntries(Array.from({ length: 65 }, (_, index) => [`key${index}`, "x"]));
    expect(detailsOf(validate("upsertContact", { identifiers: many }))).toEqual(["/identifiers too_many"]);
  });

  it("a reserved activity, unless the key may report message events", () => {
    const item = { contact: { identifiers }, contactactivities: [{ ...event, name: "open" }] };
    const path = "/contactactivities/0/name";
    const details = [{ path, code: "not_allowed", message: "open is a reserved activity." }];
    const verdict = validate("createContactactivities", item);
    expect(verdict).toEqual({ kind: "rejected", code: "RESERVED_ACTION", details });
    expect(validate("createContactactivities", item, ["intake", "message-events"]).kind).toBe("accepted");
  });

  it("properties that nest six levels, while five are accepted", () => {
    const withProperties = (levels: number) => ({
      contact: { identifiers },
      contactactivities: [{ ...event, properties: nested(levels) }],
    });
    expect(validate("createContactactivities", withProperties(5)).kind).toBe("accepted");
    expect(detailsOf(validate("createContactactivities", withProperties(6)))).toEqual([
      "/contactactivities/0/properties out_of_range",
    ]);
  });

  it.each([
    ["an attribute", { identifiers, attributes: { a: nested(100_000) } }],
    ["an unknown member", { identifiers, foo: nested(100_000) }],
    ["an identifier", { identifiers: { email: nested(100_000) } }],
  ])("a hundred thousand levels in %s, without exhausting the stack", (_where, item) => {
    expect(validate("upsertContact", item).kind).toBe("rejected");
  });
});

it.each(["activities", "activitiesDays"])("an activity older than the account's retention (%s) is refused", (name) => {
  const settings = accountSettings.parse({ retention: { [name]: 7 } });
  const validated = (time: string) => {
    const item = { contact, contactactivities: [{ ...event, time }] };
    return validateItem(operationNamed("createContactactivities"), { ...account, settings }, item, {
      nowMs: NOW_MS,
      scopes: [],
    });
  };
  expect(detailsOf(validated("2026-01-02T23:59:59Z"))).toEqual(["/contactactivities/0/time out_of_range"]);
  expect(validated("2026-01-03T00:00:00Z").kind).toBe("accepted");
});
