import type { Account } from "@headwater/contracts";
import { retryOnConflict } from "@headwater/postgres/connection/writeConflict";
import { noChangeEvents } from "@headwater/records/fold/foldEvents";
import { fromSupplementRecordRow, liveRecord, type SupplementRecord } from "@headwater/records/supplements/supplement";
import { entryKeys } from "@headwater/records/supplements/supplementKeys";
import type { StoredSupplementRecord } from "@headwater/records/supplements/supplementRecords";
import { readSupplement } from "@headwater/records/supplements/supplements";
import { removeClearedRecords } from "@headwater/records/supplements/supplementTables";
import { clearSupplement } from "@headwater/records/supplements/writeSupplement";
import { stepSupplementIndexes } from "@headwater/records/writes/supplementIndexes";
import { writeState } from "@headwater/records/writes/writeState";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { nowMs, type Running, startService } from "../service/running.ts";
import { storeRecords } from "./supplements/batch.ts";

let service: Running;
let account: Account;
let key: string;
beforeAll(async () => {
  service = await startService();
  ({ account } = await service.account());
  key = await service.key(account, { scopes: ["supplements:read", "supplements:write"] });
});
afterAll(() => service.stop());

const call = (method: "GET" | "POST" | "PUT" | "DELETE", path: string, body?: unknown) =>
  service.call(key, `/v2/supplements${path}`, { method, ...(body !== undefined && { body }) });

const every = [
  { field: "n", type: "number" },
  { field: "t", type: "array" },
] as const;

type Step =
  | { readonly kind: "intake"; readonly ids: readonly string[]; readonly fields: object; readonly late: number }
  | { readonly kind: "post" | "put"; readonly id: string; readonly fields: object }
  | { readonly kind: "delete"; readonly id: string }
  | { readonly kind: "clear" | "step" }
  | { readonly kind: "indexes"; readonly count: number };

const id = fc.constantFrom("1", "2", "3", "4");
const fields = fc.record(
  { n: fc.oneof(fc.integer({ min: -3, max: 3 }), fc.constant(null)), t: fc.subarray(["a", "b", 3]), x: fc.nat(2) },
  { requiredKeys: [] },
);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant("intake" as const),
      ids: fc.uniqueArray(id, { minLength: 1 }),
      fields,
      late: fc.nat(100),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom("post" as const, "put" as const), id, fields }) },
  fc.record({ kind: fc.constant("delete" as const), id }),
  fc.record({ kind: fc.constantFrom("clear" as const, "step" as const) }),
  fc.record({ kind: fc.constant("indexes" as const), count: fc.integer({ min: 0, max: every.length }) }),
);

let offset = 0;

async function run(table: string, one: Step): Promise<unknown> {
  switch (one.kind) {
    case "intake": {
      const records = one.ids.map((id) => ({ ...one.fields, id }));
      return storeRecords(service.postgres, account, {
        supplement: table,
        records,
        timeMs: nowMs() - one.late,
        offset: ++offset,
      });
    }
    case "post":
      return call("POST", `/${table}/records`, { id: one.id, ...one.fields });
    case "put":
      return call("PUT", `/${table}/records/${one.id}`, one.fields);
    case "delete":
      return call("DELETE", `/${table}/records/${one.id}`);
    case "clear":
      return clear(table);
    case "step":
      return stepSupplementIndexes(service.postgres);
    case "indexes":
      return call("PUT", `/${table}`, { indexes: every.slice(0, one.count) });
  }
}

function clear(table: string): Promise<unknown> {
  return retryOnConflict(() =>
    service.postgres.transaction((transaction) =>
      writeState({ transaction, nowMs: nowMs() }, account, {
        kind: "v2",
        recordId: `clear${++offset}:0:0`,
        reads: { identifiers: [], members: false, clearsSupplement: table },
        fold: (state, origin) => {
          clearSupplement(state, table, origin);
          return { changeEvents: noChangeEvents };
        },
      }),
    ),
  );
}

async function tableOf(name: string) {
  const table = await readSupplement(service.postgres, account.number, name);
  if (table === undefined) throw new Error("the table is made");
  return table;
}
type Table = Awaited<ReturnType<typeof tableOf>>;

async function live({ id: supplement, clearedVersion }: Table): Promise<SupplementRecord[]> {
  const rows = await service.postgres.query<StoredSupplementRecord>({
    text: `SELECT id, contact, created_at AS "createdAt", modified_at AS "modifiedAt", version, deleted_version AS "deletedVersion", doc
      FROM supplement_records WHERE account = ${account.number} AND supplement = ${supplement} ORDER BY id`,
  });
  const of = { clearedVersion: clearedVersion ?? undefined };
  return rows.flatMap((row) => liveRecord(fromSupplementRecordRow(supplement, row.id, row), of) ?? []);
}

const view = ({ id, members }: SupplementRecord) => {
  const fields = [...members].filter(([, { value }]) => value !== null).map(([name, { value }]) => [name, value]);
  return { ...Object.fromEntries(fields), id };
};

/** Returns the records of the table as ClickHouse sees them: the last event of each, without what its clears took out. */
async function emitted({ id: supplement, clearedVersion }: Table): Promise<unknown[]> {
  const rows = await service.postgres.query<{ payload: string }>({
    text: "SELECT payload FROM outbox WHERE topic = 'changes.supplements' ORDER BY position",
  });
  const latest = new Map<string, { revision: number; version: string; deleted?: boolean; record: unknown }>();
  for (const { payload } of rows) {
    const { position: revision, changes } = JSON.parse(payload);
    for (const change of changes) {
      if (change.account !== account.number || change.supplement !== supplement) continue;
      if ((latest.get(change.id)?.revision ?? 0) <= revision) latest.set(change.id, { revision, ...change });
    }
  }
  const there = [...latest].filter(([, one]) => one.deleted !== true && one.version > (clearedVersion ?? ""));
  return there.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, { record }]) => record);
}

async function entries({ id: supplement, indexes }: Table): Promise<string[]> {
  const rows = await service.postgres.query<{ slot: number; key: string; id: string }>({
    text: `SELECT slot, key, id FROM supplement_index_entries WHERE account = ${account.number} AND supplement = ${supplement}`,
  });
  const slots = new Set(indexes.map(({ slot }) => slot));
  return rows
    .filter(({ slot }) => slots.has(slot))
    .map((row) => `${row.slot} ${row.key} ${row.id}`)
    .sort();
}

describe("writes, deletions, clears and changes of indexes at once, through intake and /v2", () => {
  let tables = 0;
  test("leave in every index exactly what the records hold, and emit what Postgres has", async () => {
    const stream = fc.array(step, { minLength: 4, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(fc.tuple(stream, stream, stream), async (streams) => {
        const name = `laws-${++tables}`;
        await call("POST", "", { key: name, indexes: every.slice(0, 1) });
        await Promise.all(
          streams.map(async (steps) => {
            for (const one of steps) await run(name, one);
          }),
        );
        for (let busy = true; busy; ) busy = await stepSupplementIndexes(service.postgres);
        const table = await tableOf(name);
        const records = await live(table);
        const expected = records.flatMap(({ id, members }) =>
          table.indexes.flatMap((index) => entryKeys(index, members).map((one) => `${index.slot} ${one} ${id}`)),
        );
        expect(table.indexes.every(({ state }) => state === "ready")).toBe(true);
        expect(await entries(table)).toEqual(expected.sort());
        expect(await emitted(table)).toEqual(records.map(view));
        expect((await call("GET", `/${name}/records`)).body.data).toMatchObject(records.map(view));
        await removeAll(table);
        expect((await live(table)).map(view)).toEqual(records.map(view));
      }),
      { numRuns: 25 },
    );
  });

  async function removeAll({ id: supplement, clearedVersion: version }: Table): Promise<void> {
    if (version === null) return;
    const clear = { account: account.number, supplement, version };
    for (let after: string | null = ""; after !== null; ) {
      const from: string = after;
      after = (await service.postgres.transaction((transaction) => removeClearedRecords(transaction, clear, from)))
        .last;
    }
  }
});
