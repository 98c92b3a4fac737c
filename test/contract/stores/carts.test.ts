import type { Postgres } from "@headwater/postgres/connection/postgres";
import { loadCarts, upsertCarts } from "@headwater/records/carts/carts";
import { moveToSurvivors } from "@headwater/records/contacts/merges";
import {
  insertSupplementRecords,
  lockSupplementRecords,
  type StoredSupplementRecord,
  updateSupplementRecords,
} from "@headwater/records/supplements/supplementRecords";
import { createSupplement, loadSupplements, type NewSupplement } from "@headwater/records/supplements/supplements";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Fresh, freshPostgres } from "./fresh.ts";

let fresh: Fresh<Postgres>;
let postgres: Postgres;
beforeAll(async () => {
  fresh = await freshPostgres(true, { keyLookupsOnly: true });
  postgres = fresh.store;
});
afterAll(() => fresh.drop());

const version = (n: number) => n.toString(16).padStart(32, "0");
const texts = ['"', "\\", "\n\t\u001f", "{}", "NULL", "ü🙂", "a,b", "'"];

describe("carts", () => {
  const cart = (contact: number, n = 1, doc = "{}", account = 1) => ({ account, contact, version: version(n), doc });
  const store = (rows: readonly ReturnType<typeof cart>[]) =>
    postgres.transaction((transaction) => upsertCarts(transaction, rows, 1));

  it("come back as they were stored, whatever their text holds, and are written over", async () => {
    const rows = texts.map((text, index) => cart(index + 1, 1, JSON.stringify({ text })));
    expect(await store(rows)).toBe(texts.length);
    const stored = await loadCarts(postgres, rows);
    expect(stored.sort((a, b) => a.contact - b.contact)).toEqual(rows);
    await store([cart(1, 2, '{"new":1}')]);
    expect(await loadCarts(postgres, [cart(1), cart(99)])).toEqual([cart(1, 2, '{"new":1}')]);
  });

  it("of many accounts are found in one question", async () => {
    const rows = Array.from({ length: 40 }, (_, index) => cart(1_000 + index, 1, "{}", 100 + index));
    await store(rows);
    expect(await loadCarts(postgres, rows)).toHaveLength(40);
  });

  it("of contacts that were merged are gone, those of their survivors stay", async () => {
    await store([cart(2_001), cart(2_002)]);
    const merge = { account: 1, merged: 2_001, survivor: 2_002 };
    await postgres.transaction((transaction) => moveToSurvivors(transaction, [merge]));
    expect((await loadCarts(postgres, [cart(2_001), cart(2_002)])).map(({ contact }) => contact)).toEqual([2_002]);
  });
});

describe("supplement tables", () => {
  const table = (key: string, more: Partial<NewSupplement> = {}): NewSupplement => {
    return { account: 2, key, indexes: [], contactObject: false, autogenerateIDs: false, createdAt: 7, ...more };
  };

  it("are numbered from 1 in their account, whoever defines them at once, and each key is there once", async () => {
    const created = await Promise.all(["a", "b", "b", "c"].map((key) => createSupplement(postgres, table(key))));
    expect(created.flatMap((one) => (one === undefined ? [] : [one.id])).sort()).toEqual([1, 2, 3]);
    expect(await createSupplement(postgres, table("a", { account: 3 }))).toMatchObject({ id: 1, key: "a" });
  });

  it("come back as they were defined; a key in other letters is another one", async () => {
    const indexes = [{ field: "model", type: "string" as const }];
    const input = table("cars", { name: "Cars", indexes, contactObject: true, autogenerateIDs: true });
    const built = await createSupplement(postgres, input);
    const stored = indexes.map((index) => ({ ...index, slot: 1, timezone: "UTC", state: "ready" }));
    expect(built).toEqual({ ...input, id: built?.id, clearedVersion: null, indexes: stored });
    const keys = ["cars", "CARS", "nothing"].map((key) => ({ account: 2, key }));
    expect(await loadSupplements(postgres, keys)).toEqual([built]);
  });
});

describe("supplement records", () => {
  const record = (id: string, more: Partial<StoredSupplementRecord> = {}): StoredSupplementRecord => {
    const times = { createdAt: 1, modifiedAt: 2 };
    const plain = { deletedVersion: null, doc: "{}" };
    return { account: 4, supplement: 1, id, contact: null, ...times, version: version(3), ...plain, ...more };
  };
  const write = (rows: readonly StoredSupplementRecord[], how = insertSupplementRecords) =>
    postgres.transaction((transaction) => how(transaction, rows, 5));
  const read = (rows: readonly StoredSupplementRecord[]) =>
    postgres.transaction((transaction) => lockSupplementRecords(transaction, rows));

  it("come back as they were stored, whatever their ids and texts hold, in order of id", async () => {
    const rows = texts.map((text, index) => record(text, { doc: JSON.stringify({ text }), contact: index })).sort(byId);
    await write(rows);
    expect(await read([...rows.toReversed(), record("nothing")])).toEqual(rows);
  });

  it("are updated where they are", async () => {
    const row = record("changes");
    await write([row]);
    const changed = { ...row, contact: 9, modifiedAt: 9, version: version(9), doc: '{"a":1}' };
    expect(await write([changed], updateSupplementRecords)).toBe(1);
    expect(await read([row])).toEqual([changed]);
  });

  it("supplement records that another transaction created first are not created twice", async () => {
    const row = record("once");
    expect([await write([row]), await write([row])]).toEqual([1, 0]);
  });

  it("of many tables and accounts are found in one question, and never another's of the same id", async () => {
    const rows = Array.from({ length: 40 }, (_, index) => record("same", { account: 200 + index, supplement: 7 }));
    await write(rows);
    expect(await read(rows)).toEqual(rows);
    expect(await read([record("same", { account: 200, supplement: 8 })])).toEqual([]);
  });
});

function byId(a: { readonly id: string }, b: { readonly id: string }): number {
  return Buffer.compare(Buffer.from(a.id), Buffer.from(b.id));
}
