import { type Account, contactMergeOptions, defaultSettings, versionOf } from "@headwater/contracts";
import { validatedOperations } from "@headwater/intake/operations/registry";
import { MemoryState } from "@headwater/testing";
import { describe, expect, test } from "vitest";
import { fromRow } from "./contactDocument.ts";
import { mergeAsAsked } from "./mergeAsAsked.ts";
import { subscribeStatusOf } from "./model.ts";

const account: Account = { number: 1, id: "a".repeat(24), name: "test", settings: defaultSettings };
const SOURCE = 1;
const DESTINATION = 2;

let time = 1_000;
function versionNow() {
  time += 1;
  return versionOf(time, { lane: 1, partition: 0, offset: time, place: 0 });
}

function send(state: MemoryState, name: string, members: object): void {
  const operation = validatedOperations.find((one) => one.name === name);
  if (operation === undefined) throw new Error(`no operation ${name}`);
  const version = versionNow();
  const [outcome] = state.apply(account, [
    { operation, version, record: { id: `r${time}:0:0`, receivedAt: 0, ...members } },
  ]);
  expect(outcome).toMatchObject({ kind: "applied" });
}

const upsert = (state: MemoryState, identifiers: object, attributes: object) =>
  send(state, "upsertContact", { contact: { identifiers, attributes, canBeCreated: true, canBeUpdated: true } });
const email = (address: string, subscribeStatus: string) => ({ channels: { email: { address, subscribeStatus } } });
const put = (state: MemoryState, identifiers: object, productID: string) =>
  send(state, "addProductsToCart", {
    contact: { identifiers },
    products: [{ productID, sku: "1", category: "c", name: "n", qty: 1 }],
    cart: {},
  });

/** Two contacts with something in every group; the destination wrote last. */
function world(): MemoryState {
  const state = new MemoryState();
  for (const [index, name] of ["both", "against"].entries()) {
    state.defineList(1, { id: index + 1, name, clearedVersion: undefined });
  }
  const [source, destination] = [{ customer_id: "s" }, { customer_id: "d" }];
  upsert(state, source, { plan: "free", only: "s", ...email("s@x.org", "unsubscribed") });
  upsert(state, destination, { plan: "gold", ...email("d@x.org", "subscribed") });
  for (const listName of ["both", "against"])
    send(state, "addContactsToList", { contact: { identifiers: source }, listName });
  send(state, "addContactsToList", { contact: { identifiers: destination }, listName: "against" });
  send(state, "removeContactsFromList", { contact: { identifiers: destination }, listName: "against" });
  send(state, "upsertOrder", {
    contact: { identifiers: source },
    order: { orderID: "o1", purchaseDate: "2026-01-01", items: [] },
  });
  put(state, source, "theirs");
  put(state, destination, "ours");
  return state;
}

function merge(state: MemoryState, options: object = {}, orders: readonly string[] = ["o1"]) {
  const origin = { account, recordId: "job:0:0", version: versionNow() };
  return state.write(account, (view) => {
    const pair = { source: view.contactByNumber(SOURCE), destination: view.contactByNumber(DESTINATION) };
    return mergeAsAsked(view, { ...pair, orders }, contactMergeOptions.parse(options), origin);
  }).done;
}

function destinationOf(state: MemoryState) {
  const row = state.contacts.get(DESTINATION);
  if (row === undefined) throw new Error("the destination is gone");
  const contact = fromRow(row);
  const channel = contact.channels.get("email") ?? {};
  return {
    plan: contact.attributes.get("plan")?.value,
    only: contact.attributes.get("only")?.value,
    address: channel.address?.value,
    status: subscribeStatusOf(channel),
    emails: contact.identifiers.get("email"),
  };
}
const ownerOf = (state: MemoryState, name: string, value: string) => {
  const owner = state.owners.get(`1\n${name}\n${value}`) ?? 0;
  return state.aliases.get(owner) ?? owner;
};
const listsOf = (state: MemoryState, contact: number) =>
  [...state.memberships.values()].filter((one) => one.contact === contact && one.present).map(({ list }) => list);

describe("a merge that was asked for", () => {
  test("keeps the destination's values where both have one, what only the source has, and an unsubscribe", () => {
    const state = world();
    expect(merge(state)).toEqual({
      lists: 2,
      listsInConflict: 1,
      cart: "destinationContact",
      orders: { moved: 1, left: 0 },
      events: "merge",
    });
    expect(destinationOf(state)).toEqual({
      plan: "gold",
      only: "s",
      address: "d@x.org",
      status: "unsubscribed",
      emails: ["d@x.org", "s@x.org"],
    });
    expect(listsOf(state, DESTINATION)).toEqual([1]);
    expect(state.aliases.get(SOURCE)).toBe(DESTINATION);
  });

  test("lets the source have its word in the groups that name it", () => {
    const state = world();
    const side = "sourceContact";
    const done = merge(state, { attributes: side, email_channels: side, lists: side, cart: side });
    expect(done).toMatchObject({ cart: "sourceContact", listsInConflict: 1 });
    expect(destinationOf(state)).toMatchObject({
      plan: "free",
      address: "s@x.org",
      status: "unsubscribed",
      emails: ["s@x.org", "d@x.org"],
    });
    expect(listsOf(state, DESTINATION).sort()).toEqual([1, 2]);
    expect(state.carts.get(DESTINATION)?.doc).toContain("theirs");
  });

  const sides = ["sourceContact", "destinationContact"] as const;
  const wins = sides.flatMap((email_channels) => sides.map((unsubscribed) => [email_channels, unsubscribed] as const));
  test.each(wins)("of which %s wins the email keeps the unsubscribe of %s", (email_channels, unsubscribed) => {
    const state = new MemoryState();
    for (const [side, id] of [
      ["sourceContact", "s"],
      ["destinationContact", "d"],
    ] as const) {
      const status = side === unsubscribed ? "unsubscribed" : "subscribed";
      upsert(state, { customer_id: id }, email(`${id}@x.org`, status));
    }
    merge(state, { email_channels }, []);
    const address = email_channels === "sourceContact" ? "s@x.org" : "d@x.org";
    expect(destinationOf(state)).toMatchObject({ address, status: "unsubscribed" });
  });

  test("lets a forced subscribe after the unsubscribe hold", () => {
    const state = new MemoryState();
    upsert(state, { customer_id: "s" }, email("s@x.org", "unsubscribed"));
    upsert(state, { customer_id: "d" }, email("d@x.org", "none"));
    const identifiers = { customer_id: "d" };
    const attributes = email("d@x.org", "subscribed");
    send(state, "upsertContact", { contact: { identifiers, attributes, canBeUpdated: true, forceSubscribe: true } });
    merge(state, {}, []);
    expect(destinationOf(state)).toMatchObject({ address: "d@x.org", status: "subscribed" });
  });

  test("keeps the unsubscribe of a source whose push channel is ignored", () => {
    const state = world();
    upsert(state, { customer_id: "s" }, { channels: { push: { address: "token", subscribeStatus: "unsubscribed" } } });
    merge(state, { push_channels: "ignore" });
    const contact = fromRow(state.contacts.get(DESTINATION) ?? expectRow(state));
    const push = contact.channels.get("push") ?? {};
    expect([push.address, subscribeStatusOf(push)]).toEqual([undefined, "unsubscribed"]);
  });

  test("leaves the channel joined where the winner has no address", () => {
    const state = new MemoryState();
    upsert(state, { customer_id: "s" }, email("a@x.org", "unsubscribed"));
    upsert(state, { customer_id: "d" }, { channels: { email: { subscribeStatus: "subscribed" } } });
    merge(state, {}, []);
    expect(destinationOf(state)).toMatchObject({ address: "a@x.org", status: "unsubscribed" });
  });

  test("leaves push with the destination as it was when the source's is ignored", () => {
    const state = world();
    upsert(state, { customer_id: "s" }, { channels: { push: { address: "token", subscribeStatus: "subscribed" } } });
    merge(state, { push_channels: "ignore" });
    const contact = fromRow(state.contacts.get(DESTINATION) ?? { ...expectRow(state), doc: "" });
    expect(contact.channels.has("push")).toBe(false);
  });

  test("leaves orders that are ignored with a contact nobody is found by", () => {
    const state = world();
    const done = merge(state, { orders: "ignore" });
    expect(done.orders).toEqual({ moved: 0, left: 1 });
    const keeper = state.orders.get("1\no1")?.contact ?? 0;
    expect(state.contacts.get(keeper)?.cid).toBe(done.leftWith);
    expect(fromRow(state.contacts.get(keeper) ?? expectRow(state)).identifiers.size).toBe(0);
    expect(state.aliases.get(SOURCE)).toBe(DESTINATION);
  });

  test("leaves activities that are ignored with the source, and takes all else", () => {
    const state = world();
    const done = merge(state, { events: "ignore" });
    expect(done).toMatchObject({ events: "ignore", leftWith: state.contacts.get(SOURCE)?.cid });
    expect(state.aliases.get(SOURCE)).toBeUndefined();
    expect(ownerOf(state, "customer_id", "s")).toBe(DESTINATION);
    expect(ownerOf(state, "email", "s@x.org")).toBe(DESTINATION);
    expect(destinationOf(state)).toMatchObject({ plan: "gold", only: "s" });
    expect(listsOf(state, DESTINATION)).toEqual([1]);
    expect(listsOf(state, SOURCE)).toEqual([]);
    expect(state.orders.get("1\no1")?.contact).toBe(DESTINATION);
    expect(fromRow(state.contacts.get(SOURCE) ?? expectRow(state)).identifiers.size).toBe(0);
  });

  test("leaves orders and activities together where both are ignored", () => {
    const state = world();
    const done = merge(state, { events: "ignore", orders: "ignore" });
    expect(state.orders.get("1\no1")?.contact).toBe(SOURCE);
    expect(done.leftWith).toBe(state.contacts.get(SOURCE)?.cid);
  });
});

function expectRow(state: MemoryState) {
  const [row] = state.contacts.values();
  if (row === undefined) throw new Error("there is no contact");
  return row;
}
