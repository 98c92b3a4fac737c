import { type Account, defaultSettings, lanes, suppressesTriggers, versionOf } from "@headwater/contracts";
import { loggedOperations } from "@headwater/intake/operations/registry";
import { MemoryState, type VersionedRecord } from "@headwater/testing";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { nothingMoved } from "../writes/storeBatch.ts";
import { toChangeEvents } from "./toChangeEvents.ts";

const account: Account = { number: 1, id: "a".repeat(24), name: "test", settings: defaultSettings };
const accounts = new Map([[1, account]]);

interface Sent {
  readonly name: string;
  readonly members: object;
  readonly suppressTriggers?: boolean | undefined;
  /** A row of an import. */
  readonly row?: number;
}

function located({ name, members, suppressTriggers, row }: Sent, index: number): VersionedRecord {
  const operation = loggedOperations.find((one) => one.name === name);
  if (operation === undefined) throw new Error(`no operation ${name}`);
  const lane = lanes[row === undefined ? "intake.records" : "intake.bulk"];
  const version = versionOf(1_000 + index, { lane, partition: 0, offset: index, place: 0 });
  const marks = { ...(suppressTriggers !== undefined && { suppressTriggers }), ...(row !== undefined && { row }) };
  return { operation, version, record: { id: `r${index}:0:0`, receivedAt: 0, ...marks, ...members } };
}

function fresh(): MemoryState {
  const state = new MemoryState();
  state.defineList(1, { id: 1, name: "vip", clearedVersion: undefined });
  state.defineList(1, { id: 2, name: "news", clearedVersion: undefined });
  return state;
}

/** Folds the records as one batch. @returns its change events that may start something, each with its key. */
function emit(state: MemoryState, records: readonly VersionedRecord[]) {
  state.apply(account, records);
  const { lastChanges } = state;
  if (lastChanges === undefined) throw new Error("a batch has changes");
  const { memberships, orders, carts } = toChangeEvents(lastChanges, accounts, nothingMoved);
  return [
    ...memberships.map((event) => ({ key: `list ${event.list} ${event.contact}`, event })),
    ...orders.map((event) => ({ key: `order ${event.orderId}`, event })),
    ...carts.map((event) => ({ key: `cart ${event.contact}`, event })),
  ].filter(({ event }) => !("merge" in event));
}

const by = (email: string) => ({ contact: { identifiers: { email }, canBeCreated: true } });
const listed = (email: string, listName = "vip") => ({
  name: "addContactsToList",
  members: { contact: { identifiers: { email } }, listName, canBeCreated: true },
});
const left = (email: string, listName = "vip") => ({
  name: "removeContactsFromList",
  members: { contact: { identifiers: { email } }, listName },
});
const item = { productID: "p", sku: "s", name: "n" };
const ordered = (email: string, orderID: string, status = "paid") => ({
  name: "upsertOrder",
  members: { ...by(email), order: { orderID, purchaseDate: "2026-01-09", items: [item], status } },
});
const carted = (email: string, qty = 1) => ({
  name: "addProductsToCart",
  members: { ...by(email), products: [{ ...item, category: "c", qty }] },
});
const importedOrder = (email: string, orderID: string, status = "paid") => ({
  name: "importOrder",
  members: { ...by(email), order: { orderID, purchaseDate: "2026-01-09", items: [item], status } },
});
const importedContact = (email: string, lists: object) => ({
  name: "importContact",
  members: { ...by(email), lists, strategy: "upsert" },
});

describe("whether a change starts something", () => {
  test.each([
    ["a list", listed("a@x"), false],
    ["an order", ordered("a@x", "o"), false],
    ["a cart", carted("a@x"), false],
    ["an order of an import", { ...importedOrder("a@x", "o"), row: 0 }, true],
    ["a list of an import", { ...importedContact("a@x", { "1": true }), row: 0 }, true],
  ])("by default is that of %s, and adds no byte to its event", (_what, sent, isSuppressed) => {
    const [emitted] = emit(fresh(), [located(sent, 0)]);
    expect(emitted).toBeDefined();
    expect(emitted?.event).not.toHaveProperty("suppressTriggers");
    expect(emitted && suppressesTriggers(emitted.event)).toBe(isSuppressed);
    const [other] = emit(fresh(), [located({ ...sent, suppressTriggers: !isSuppressed }, 0)]);
    expect(other?.event).toMatchObject({ suppressTriggers: !isSuppressed });
  });

  test("several records of a batch start something when one of them does, whichever comes last", () => {
    const quiet = { ...ordered("a@x", "o", "sent"), suppressTriggers: true };
    const loud = ordered("a@x", "o");
    for (const batch of [
      [quiet, loud],
      [loud, quiet],
    ]) {
      const [emitted] = emit(fresh(), batch.map(located));
      expect(emitted?.event).not.toHaveProperty("suppressTriggers");
    }
    const [emitted] = emit(fresh(), [quiet, { ...ordered("a@x", "o"), suppressTriggers: true }].map(located));
    expect(emitted?.event).toMatchObject({ suppressTriggers: true });
  });

  test("a record that changes nothing starts nothing for another one", () => {
    const quiet = { ...listed("a@x"), suppressTriggers: true };
    const [emitted] = emit(fresh(), [quiet, listed("a@x")].map(located));
    expect(emitted?.event).toMatchObject({ suppressTriggers: true });
  });

  test("what a merge moves starts nothing, and a change before it in the same batch still does", () => {
    const merge = {
      name: "mergeContacts",
      members: { ...by("a@x"), previous: { identifiers: { email: "b@x" } } },
    };
    const state = fresh();
    emit(state, [listed("a@x", "news"), listed("b@x"), carted("b@x")].map(located));
    const moved = emit(state, [located(merge, 9)]);
    expect(moved.map(({ key, event }) => [key.split(" ")[0], suppressesTriggers(event)])).toEqual([
      ["list", true],
      ["cart", true],
    ]);
    const together = emit(fresh(), [listed("a@x", "news"), carted("b@x"), merge].map(located));
    expect(together.find(({ key }) => key.startsWith("cart"))?.event).not.toHaveProperty("suppressTriggers");
  });
});

describe("laws", () => {
  const email = fc.constantFrom("a@x", "b@x");
  const status = fc.constantFrom("paid", "sent", "refunded");
  const orderId = fc.constantFrom("o1", "o2");
  const sent: fc.Arbitrary<Sent> = fc
    .tuple(
      fc.oneof(
        fc.tuple(email, fc.constantFrom("vip", "news")).map(([who, list]) => listed(who, list)),
        fc.tuple(email, fc.constantFrom("vip", "news")).map(([who, list]) => left(who, list)),
        fc.tuple(email, orderId, status).map((one) => ordered(...one)),
        fc.tuple(email, orderId, status).map((one) => ({ ...importedOrder(...one), row: 0 })),
        fc.tuple(email, fc.integer({ min: 1, max: 3 })).map((one) => carted(...one)),
      ),
      fc.option(fc.boolean(), { nil: undefined }),
    )
    .map(([one, suppressTriggers]) => ({ ...one, suppressTriggers }));

  test("of a batch a change is suppressed only where it was each time that its records changed it one by one", () => {
    fc.assert(
      fc.property(fc.array(sent, { maxLength: 24 }), fc.array(fc.integer({ min: 1, max: 6 })), (all, cuts) => {
        const records = all.map(located);
        const [one, cut] = [fresh(), fresh()];
        for (let from = 0, step = 0; from < records.length; step++) {
          const batch = records.slice(from, from + (cuts[step] ?? 24));
          from += batch.length;
          const single = batch.flatMap((record) => emit(one, [record]));
          const expected = [...Map.groupBy(single, ({ key }) => key)].map(([key, events]) => {
            return [key, events.every(({ event }) => suppressesTriggers(event))];
          });
          const together = emit(cut, batch).map(({ key, event }) => [key, suppressesTriggers(event)]);
          expect(together.toSorted()).toEqual(expected.toSorted());
        }
      }),
      { numRuns: 400 },
    );
  });
});
