import { type Account, defaultSettings, versionOf } from "@headwater/contracts";
import { operations } from "@headwater/intake/operations/registry";
import { describe, expect, test } from "vitest";
import { BatchState } from "../unitOfWork/batchState.ts";
import { emptyRows } from "../unitOfWork/loadedRows.ts";
import { cartRows, nothingMoved } from "../writes/storeBatch.ts";
import { toOutboxRows, toPieces } from "./outboxRows.ts";
import { toChangeEvents } from "./toChangeEvents.ts";

const account: Account = { number: 1, id: "a".repeat(24), name: "test", settings: defaultSettings };
const accounts = new Map([[1, account]]);

/** Folds bodies over an empty store; everything asked for is not there. */
function fold(bodies: readonly object[]) {
  return foldAll(bodies.map((contact) => ({ name: "upsertContact", members: { contact } })));
}

function foldAll(bodies: readonly { readonly name: string; readonly members: object }[]) {
  const rows = emptyRows();
  rows.numbers.push(1, 2, 3, 4);
  for (;;) {
    const state = new BatchState(rows);
    for (const [index, { name, members }] of bodies.entries()) {
      const operation = operations.find((one) => one.name === name);
      if (operation === undefined) throw new Error(`no operation ${name}`);
      const record = { id: `r${index}:0:0`, receivedAt: 0, ...members };
      const version = versionOf(1_000 + index, { lane: 1, partition: 0, offset: index, place: 0 });
      const origin = { account, recordId: record.id, version };
      state.collect(1, Reflect.apply(operation.fold, operation, [state.of(1), record, origin]).changeEvents);
    }
    if (state.unloaded.length === 0) return state.changes();
    for (const read of state.unloaded) {
      if (read.kind !== "owner") throw new Error(`nothing is stored, and ${read.kind} was asked for`);
      rows.owners.set(1, read.identifier, null);
    }
  }
}

const create = { canBeCreated: true, canBeUpdated: true };

describe("change records", () => {
  test("a survivor comes before the contact merged into it, with its alias", () => {
    const changes = fold([
      { identifiers: { email: "a@x" }, attributes: { plan: "free" }, ...create },
      { identifiers: { phone: "123" }, attributes: { plan: "paid" }, ...create },
      { identifiers: { email: "a@x", phone: "123" }, mergeOptions: { mergeAllowed: true } },
    ]);
    const contacts = [
      ...toChangeEvents(changes, accounts, { ...nothingMoved, aliasesBefore: new Map([[2, [9]]]) }).contacts,
    ];
    expect(contacts.map(({ contact, aliases, mergedInto }) => ({ contact, aliases, mergedInto }))).toEqual([
      { contact: 1, aliases: [2, 9], mergedInto: undefined },
      { contact: 2, aliases: undefined, mergedInto: 1 },
    ]);
    expect(contacts[0]?.fields.find(([path]) => path === "attributes.plan")?.[1]).toBe("paid");
    expect(contacts[1]?.fields.every(([, value]) => value === null)).toBe(true);
    expect(contacts[1]?.fields.map(([path]) => path)).toContain("identifiers.phone");
  });

  test("a batch of many changes is cut into messages below the bound, and loses none", () => {
    const bodies = Array.from({ length: 4 }, (_, index) => {
      return { identifiers: { email: `c${index}@x` }, attributes: { text: "x".repeat(200_000) }, ...create };
    });
    const records = toChangeEvents(fold(bodies), accounts, nothingMoved);
    const rows = toOutboxRows(toPieces({ ...records, rejects: [] }), { positions: [7, 8, 9, 10], sourcePartition: 3 });
    expect(rows.length).toBeGreaterThan(1);
    const emitted = rows.flatMap(({ payload }) =>
      JSON.parse(payload).changes.map((change: { contact: number }) => change.contact),
    );
    expect(emitted).toEqual([1, 2, 3, 4]);
    expect(rows.every(({ payload }) => JSON.parse(payload).position === 7)).toBe(true);
  });

  test("a contact with more members than one message holds is emitted in several, and no member is lost", () => {
    const attributes = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`a${index}`, "x".repeat(20_000)]));
    const records = toChangeEvents(
      fold([{ identifiers: { email: "a@x" }, attributes, ...create }]),
      accounts,
      nothingMoved,
    );
    const rows = toOutboxRows(toPieces({ ...records, rejects: [] }), { positions: [1, 2, 3, 4], sourcePartition: 0 });
    const changes = rows.flatMap(({ payload }) => JSON.parse(payload).changes);
    const paths = changes.flatMap(({ fields }: { fields: [string][] }) => fields.map(([path]) => path));
    expect(changes.length).toBeGreaterThan(1);
    expect(paths.filter((path) => path.startsWith("attributes.")).sort()).toEqual(
      Object.keys(attributes)
        .map((name) => `attributes.${name}`)
        .sort(),
    );
  });

  test("carts are emitted whole; a merged contact's is gone, and the later of both is the survivor's", () => {
    const add = (identifiers: object, productID: string) => {
      const contact = { identifiers, attributes: { plan: "free" }, ...create };
      const products = [{ productID, sku: "1", category: "c", name: "n", qty: 3, itemPrice: "0.1" }];
      return { name: "addProductsToCart", members: { contact, products, cart: { cartID: `c-${productID}` } } };
    };
    const contact = { identifiers: { email: "a@x", phone: "123" }, mergeOptions: { mergeAllowed: true } };
    const merge = { name: "upsertContact", members: { contact } };
    const changes = foldAll([add({ email: "a@x" }, "p"), add({ phone: "123" }, "q"), merge]);
    const { carts } = toChangeEvents(changes, accounts, nothingMoved);
    expect(carts).toMatchObject([
      { contact: 1, cartId: "c-q", lines: 1, total: "0.3", cart: { items: [{ productID: "q", amount: "0.3" }] } },
      { contact: 2, merge: true },
    ]);
    expect(cartRows(changes).map((row) => row.contact)).toEqual([1]);
  });
});
