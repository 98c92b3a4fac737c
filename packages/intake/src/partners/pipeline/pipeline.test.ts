import { accountSettings, defaultSettings } from "@headwater/contracts";
import { describe, expect, test } from "vitest";
import type { PartnerEndpoint } from "../endpoint.ts";
import { withoutAbsent } from "../reading.ts";
import * as pipeline from "./index.ts";

const context = { settings: defaultSettings, accountId: "a".repeat(24), nowMs: Date.UTC(2026, 0, 9), bodyHash: "" };
const who = { pipelineIdKey: "customer_id", pipelineId: "u1" };
const contact = { identifiers: { customer_id: "u1" }, identifiersPriority: ["customer_id"] };
const partsOf = (endpoint: PartnerEndpoint, pushed: object, settings = defaultSettings) =>
  endpoint.map(endpoint.body.parse(withoutAbsent(pushed)), { ...context, settings }).parts;
const bodyOf = (...input: Parameters<typeof partsOf>) => {
  const [part] = partsOf(...input);
  return part?.kind === "item" ? part.body : part;
};

test("a push that says nothing of its contact lacks what is required", () => {
  const { map, body } = pipeline.upsertContact;
  const push = map(body.parse({ attributes: { plan: "gold" } }), context);
  expect(push).toMatchObject({ parts: [], wrong: [{ path: "/pipelineId", code: "required" }] });
});

describe("whose a push is", () => {
  const attributes = { plan: "gold" };
  test("say its own id, its identities in the order given, and its anonymous id, tried in this order", () => {
    const userIdentities = { phone: "+442079460018", email: "ann@x.org", empty: "", nothing: null };
    const provided = { pipelineIdKey: "user_id", pipelineId: 7, anonymousId: "a1", userIdentities, attributes };
    expect(bodyOf(pipeline.upsertContact, provided)).toEqual({
      identifiers: { user_id: "7", phone: "+442079460018", email: "ann@x.org", anonymousId: "a1" },
      identifiersPriority: ["user_id", "phone", "email", "anonymousId"],
      attributes,
      canBeCreated: true,
      canBeUpdated: true,
    });
  });

  test("is said by the others where one of them is an empty text", () => {
    const byIdentity = { ...who, pipelineId: "", anonymousId: " ", userIdentities: { email: "ann@x.org" }, attributes };
    expect(bodyOf(pipeline.upsertContact, byIdentity)).toMatchObject({ identifiers: { email: "ann@x.org" } });
    const byAnonymousId = { pipelineIdKey: "", pipelineId: "u1", anonymousId: "a1", attributes };
    expect(bodyOf(pipeline.upsertContact, byAnonymousId)).toMatchObject({ identifiersPriority: ["anonymousId"] });
    const { map, body } = pipeline.upsertContact;
    expect(map(body.parse({ ...who, pipelineId: "" }), context)).toMatchObject({ wrong: [{ code: "required" }] });
  });

  test("may stand under the sender's own names only where the account asks for it", () => {
    const received = { userIdKey: "customer_id", userId: "u1", attributes };
    const aliases = { pipelineIdKey: "userIdKey", pipelineId: "userId" };
    const settings = accountSettings.parse({ partners: { pipeline: { aliases } } });
    expect(bodyOf(pipeline.upsertContact, received, settings)).toMatchObject(contact);
    expect(bodyOf(pipeline.upsertContact, { ...received, pipelineId: "u1" })).toMatchObject({ kind: "refused" });
  });

  test.each([
    ["an id without its key", { pipelineId: "u1" }],
    ["empty identities", { userIdentities: { email: " " } }],
    ["an identifier without a canonical form", { userIdentities: { customer_id: "x".repeat(513) } }],
  ])("a push that names %s is recorded with its reason", (_what, given) => {
    const parts = partsOf(pipeline.upsertContact, { ...given, attributes });
    expect(parts).toMatchObject([{ kind: "refused", verdict: "rejected", message: expect.stringMatching(/./) }]);
  });
});

test("an activity has its action, its context, and the time it came when it names none", () => {
  const pushed = {
    ...who,
    action: "pageView",
    properties: { url: "/" },
    context: {
      ip: "203.0.113.7",
      userAgent: "UA",
      device: { type: "Desktop", model: "X" },
      location: { city: "Rome" },
    },
  };
  expect(bodyOf(pipeline.createContactactivity, pushed)).toEqual({
    contact: { ...contact, canBeCreated: true },
    contactactivities: [
      {
        name: "pageView",
        time: "2026-01-09T00:00:00.000Z",
        properties: { url: "/" },
        device: { type: "Computer", device: "X", browser: "UA", ip: "203.0.113.7" },
        geo: { city: "Rome" },
      },
    ],
  });
});

test("groups are lists, found by the group's id", () => {
  const list = { externalId: "12", name: "Beta testers" };
  const settings = accountSettings.parse({ partners: { pipeline: { canBeCreated: false } } });
  expect(partsOf(pipeline.addContactToList, { ...who, groupId: 12, listName: "Beta testers" }, settings)).toMatchObject(
    [{ body: { identifiers: [{ customer_id: "u1" }], canBeCreated: false }, list: { ...list, isMade: true } }],
  );
  expect(partsOf(pipeline.removeContactFromList, { ...who, groupId: 12 })).toMatchObject([
    { operation: "removeContactsFromList", list: { externalId: "12", isMade: false } },
  ]);
});

test("a product comes into the cart, one of it unless more are said, and goes, all of it unless fewer are", () => {
  const product = { productID: 7, sku: "7-W", category: "Decoration", name: "Heart", imageUrl: "https://x/7.jpg" };
  expect(bodyOf(pipeline.addProductToCart, { ...who, ...product })).toMatchObject({
    contact,
    products: [
      { productID: "7", sku: "7-W", category: "Decoration", name: "Heart", qty: 1, images: ["https://x/7.jpg"] },
    ],
  });
  expect(bodyOf(pipeline.removeProductFromCart, { ...who, productID: 7 })).toEqual({
    contact,
    products: [{ productID: "7", qty: 2_147_483_647 }],
  });
  expect(bodyOf(pipeline.removeProductFromCart, { ...who, productID: 7, qty: "2.0" })).toMatchObject({
    products: [{ qty: 2 }],
  });
});

test("an order keeps its lines that are right; the others are refused alone", () => {
  const items = [{ productID: 1, sku: 2, name: "n", qty: "3", brand: "unknown here" }, { productID: "x" }, null];
  const pushed = { ...who, orderID: 9, purchaseDate: "2026-01-09 22:47:12", status: "PAID", totalAmount: 5, items };
  const [order, ...refused] = partsOf(pipeline.upsertOrder, pushed);
  expect(order).toMatchObject({
    operation: "upsertOrder",
    body: {
      order: {
        orderID: "9",
        purchaseDate: "2026-01-09 22:47:12",
        status: "PAID",
        totalAmount: 5,
        items: [{ productID: "1", sku: "2", name: "n", qty: 3 }],
      },
    },
  });
  expect(refused.map(({ path }) => path)).toEqual(["/items/1", "/items/2"]);
});

test("an order without a line that is right is refused with what each line lacks", () => {
  const order = { orderID: 9, purchaseDate: "2026-01-09", status: "paid", totalAmount: 5 };
  const { map, body } = pipeline.upsertOrder;
  const push = map(body.parse({ ...who, ...order, items: [{ productID: "a", name: "n" }, { sku: "b" }, 7] }), context);
  expect(push).toEqual({
    parts: [],
    wrong: [
      { path: "/items/0/sku", code: "required", message: "`items.0.sku` is required." },
      { path: "/items/1/productID", code: "required", message: "`items.1.productID` is required." },
      { path: "/items/1/name", code: "required", message: "`items.1.name` is required." },
      { path: "/items/2", code: "type_mismatch", message: "The line must be an object." },
    ],
  });
});

test.each([
  [pipeline.createContactactivity, {}],
  [pipeline.addContactToList, { listName: "x" }],
  [pipeline.removeContactFromList, {}],
  [pipeline.addProductToCart, { productID: "1", sku: "1", name: "n" }],
  [pipeline.removeProductFromCart, { qty: 1 }],
  [pipeline.mergeContacts, {}],
  [pipeline.upsertOrder, { orderID: "1", purchaseDate: "2026-01-09", status: "paid", totalAmount: 1, items: [] }],
])("$0.name without what it needs is refused", (endpoint, given) => {
  expect(endpoint.body.safeParse(withoutAbsent({ ...who, ...given })).success).toBe(false);
});

test("a merge looks for the previous id as anonymousId, then under the pipeline's own key", () => {
  expect(bodyOf(pipeline.mergeContacts, { ...who, previousId: 5 })).toEqual({
    contact: { ...contact, canBeCreated: true },
    previous: {
      identifiers: { anonymousId: "5", customer_id: "5" },
      identifiersPriority: ["anonymousId", "customer_id"],
    },
  });
  const anonymous = { anonymousId: "a2", previousId: "a1" };
  expect(bodyOf(pipeline.mergeContacts, anonymous)).toMatchObject({ previous: { identifiers: { anonymousId: "a1" } } });
});
