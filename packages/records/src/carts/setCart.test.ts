import { type Account, defaultSettings, versionOf } from "@headwater/contracts";
import { loggedOperations } from "@headwater/intake/operations/registry";
import { MemoryState } from "@headwater/testing";
import { describe, expect, it } from "vitest";
import { type CartRequest, setCart } from "./setCart.ts";

const account: Account = { number: 1, id: "a".repeat(24), name: "carts", settings: defaultSettings };
const versionAt = (at: number) => versionOf(1_000 + at, { lane: 1, partition: 0, offset: at, place: 0 });
const line = { productID: "p", sku: "1", qty: 2, category: "c", name: "n", properties: { a: 1, b: [2] } };
const set: CartRequest = { kind: "set", fresh: false, members: { cartID: "c1" }, lines: [line] };
const remove = (productID: string, qty: number): CartRequest => ({ kind: "remove", line: { productID, qty } });

/** Returns whether the last of the requests wrote anything. */
function lastWrites(...requests: readonly CartRequest[]): boolean {
  const state = new MemoryState();
  const operation = loggedOperations.find(({ name }) => name === "upsertContact");
  if (operation === undefined) throw new Error("no operation upsertContact");
  const contact = { identifiers: { email: "a@x" }, attributes: { plan: "x" }, canBeCreated: true };
  state.apply(account, [{ operation, version: versionAt(0), record: { id: "r:0:0", receivedAt: 0, ...{ contact } } }]);
  const [number = 0] = state.contacts.keys();
  let last = { events: 0, row: state.carts.get(number) };
  let before = last;
  for (const [at, request] of requests.entries()) {
    const origin = { account, recordId: `c${at}:0:0`, version: versionAt(at + 1) };
    const { changeEvents } = state.write(account, (fold) => setCart(fold, number, request, origin));
    before = last;
    last = { events: changeEvents.length, row: state.carts.get(number) };
  }
  expect(last.events > 0).toBe(last.row !== before.row);
  return last.events > 0;
}

describe("a cart", () => {
  it.each<[string, readonly CartRequest[]]>([
    ["a product is taken out that is not in it", [set, remove("q", 1)]],
    ["a product is taken out of none", [remove("p", 1)]],
    ["it is set to what it is", [set, set]],
    ["it is cleared twice", [set, { kind: "clear" }, { kind: "clear" }]],
  ])("stays as it was, with its version, where %s", (_what, requests) => {
    expect(lastWrites(...requests)).toBe(false);
  });

  it.each<[string, readonly CartRequest[]]>([
    ["a product of it is taken out", [set, remove("p", 1)]],
    ["one member changes", [set, { ...set, members: { cartID: "c2" } }]],
    ["one line changes", [set, { ...set, lines: [{ ...line, properties: { a: 1, b: [3] } }] }]],
    ["a product is added again", [set, { kind: "add", line }]],
  ])("is written where %s", (_what, requests) => {
    expect(lastWrites(...requests)).toBe(true);
  });
});
