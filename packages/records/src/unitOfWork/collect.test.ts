import { type Account, defaultSettings, timeOfVersion, versionOf } from "@headwater/contracts";
import { operations } from "@headwater/intake/operations/registry";
import { expect, test } from "vitest";
import { toChangeEvents } from "../changeEvents/toChangeEvents.ts";
import type { FoldState } from "../fold/foldState.ts";
import { nothingMoved } from "../writes/storeBatch.ts";
import { BatchState } from "./batchState.ts";
import { emptyRows, membershipKey } from "./loadedRows.ts";

const account: Account = { number: 1, id: "a".repeat(24), name: "test", settings: defaultSettings };
const accounts = new Map([[1, account]]);
const at = (timeMs: number) => versionOf(timeMs, { lane: 1, partition: 0, offset: timeMs, place: 0 });

/** State in which nothing is stored; numbers of new contacts begin at 1. */
function emptyState() {
  const rows = emptyRows();
  rows.numbers.push(1, 2);
  rows.owners.set(1, { name: "email", value: "a@x" }, null);
  rows.memberships.set(membershipKey(7, 1), null);
  rows.carts.set(1, null);
  return new BatchState(rows);
}

function emitted(state: BatchState) {
  const { contacts, memberships, carts, orders } = toChangeEvents(state.changes(), accounts, nothingMoved);
  return { contacts: [...contacts], memberships, carts, orders };
}

const membership = { list: 7, contact: 1, present: true, joinedAt: 5, version: at(5) };
const cart = { contact: 1, version: at(5), members: {}, expiresAt: undefined, lines: [] };
const order = { orderId: "o", contact: 1, members: new Map() };
const writes = [
  [
    "membership",
    (state: FoldState) => state.setMembership(membership),
    { kind: "membership", membership },
    "memberships",
  ],
  ["cart", (state: FoldState) => state.setCart(cart), { kind: "cart", cart }, "carts"],
  ["order", (state: FoldState) => state.setOrder(order), { kind: "order", order }, "orders"],
] as const;

test.each(writes)("a %s that is written is stored, and emitted only with its event", (_what, write, event, kind) => {
  const state = emptyState();
  write(state.of(1));
  expect(state.changes()[kind].size).toBe(1);
  expect(emitted(state)[kind]).toEqual([]);
  state.collect(1, [event]);
  expect(emitted(state)[kind]).toHaveLength(1);
});

test("a write without an event after one with it does not take the event back", () => {
  const state = emptyState();
  state.of(1).setMembership(membership);
  state.collect(1, [{ kind: "membership", membership }]);
  state.of(1).setMembership({ ...membership, version: at(6) });
  expect(emitted(state).memberships).toMatchObject([{ list: 7, contact: 1, version: at(6) }]);
});

test("a membership that a split gives back is emitted under the version of the split", () => {
  const state = emptyState();
  state.of(1).setMembership(membership);
  state.collect(1, [{ kind: "membership", membership, emittedAs: at(9) }]);
  expect(emitted(state).memberships).toMatchObject([{ version: at(9) }]);
  expect(state.changes().memberships.get(membershipKey(7, 1))?.membership.version).toBe(at(5));
});

test("the events of several records about one contact are one change event, with the last value of each member", () => {
  const state = emptyState();
  const send = (timeMs: number, attributes: object) => {
    const contact = { identifiers: { email: "a@x" }, attributes, canBeCreated: true, canBeUpdated: true };
    const recordId = `r${timeMs}:0:0`;
    const origin = { account, recordId, version: at(timeMs) };
    const operation = operations.find(({ name }) => name === "upsertContact");
    if (operation === undefined) throw new Error("the operation is not registered");
    const record = { id: recordId, receivedAt: 0, contact };
    const { changeEvents, kind } = Reflect.apply(operation.fold, operation, [state.of(1), record, origin]);
    state.collect(1, changeEvents);
    return { kind, count: changeEvents.length };
  };
  expect(send(10, { plan: "free", city: "Rome" })).toEqual({ kind: "applied", count: 1 });
  expect(send(20, { plan: "gold" })).toEqual({ kind: "applied", count: 1 });
  expect(send(30, { plan: "gold" })).toEqual({ kind: "skipped", count: 0 });
  const [contact, ...others] = emitted(state).contacts;
  expect(others).toEqual([]);
  expect(contact?.lastModified).toBe(timeOfVersion(at(20)));
  expect(contact?.fields).toEqual([
    ["identifiers.email", "a@x", at(10)],
    ["attributes.plan", "gold"],
    ["attributes.city", "Rome", at(10)],
  ]);
});
