import { type Account, defaultSettings, versionOf } from "@headwater/contracts";
import { fromOrderRow } from "@headwater/records/orders/orderDocument";
import { MemoryState } from "@headwater/testing";
import { describe, expect, test } from "vitest";
import type { LoggedOperation } from "../operation.ts";
import { operations } from "../registry.ts";
import { setOrderStatus } from "./setOrderStatus.ts";

const account: Account = { number: 1, id: "a".repeat(24), name: "test", settings: defaultSettings };
const contact = { identifiers: { email: "ann@x.org" }, canBeCreated: true };
const upsertOrder = operations.find(({ name }) => name === "upsertOrder");

const at = (offset: number) => versionOf(1_000 + offset, { lane: 1, partition: 0, offset, place: 0 });

function located(operation: LoggedOperation | undefined, offset: number, members: object) {
  if (operation === undefined) throw new Error("no such operation");
  return { operation, version: at(offset), record: { id: `r${offset}:0:0`, receivedAt: 0, ...members } };
}

const refund = (offset: number) =>
  located(setOrderStatus, offset, { contact, order: { orderID: "o1", status: "refunded" } });
const purchase = (offset: number) =>
  located(upsertOrder, offset, {
    contact,
    order: { orderID: "o1", purchaseDate: "2026-01-09", items: [{ productID: "p", sku: "s", name: "n" }], tax: "1" },
  });

function orderOf(state: MemoryState) {
  const [row] = state.orders.values();
  if (row === undefined) throw new Error("no order is stored");
  return Object.fromEntries([...fromOrderRow("o1", row).members].map(([name, { value }]) => [name, value]));
}

describe("a refund", () => {
  test("sets the status and leaves everything else of the order, whichever comes first", () => {
    const inOrder = new MemoryState();
    inOrder.apply(account, [purchase(1), refund(2)]);
    expect(orderOf(inOrder)).toMatchObject({ status: "refunded", purchaseDate: "2026-01-09", tax: "1" });
    const early = new MemoryState();
    early.apply(account, [refund(2)]);
    early.apply(account, [purchase(1)]);
    expect(orderOf(early)).toEqual(orderOf(inOrder));
  });

  test("a repeated refund is unchanged, and one that is older than the status is superseded", () => {
    const state = new MemoryState();
    const outcomes = state.apply(account, [purchase(1), refund(5), refund(6), refund(2)]);
    expect(outcomes).toMatchObject([
      { kind: "applied" },
      { kind: "applied" },
      { kind: "skipped", code: "UNCHANGED" },
      { kind: "skipped", code: "SUPERSEDED" },
    ]);
  });
});
