import type { ClickHouse } from "@headwater/clickhouse/clickhouse";
import { migrateClickHouse } from "@headwater/clickhouse/migrate";
import type { ClickHouseWitness } from "@headwater/guard/clickHouseWitness/clickHouseWitness";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Fresh, freshClickHouse, logger } from "../../stores/fresh.ts";
import { copyTables, reload, witnessOver } from "../../stores/putBack.ts";
import { createMemorySinks, type MemorySinks } from "./memorySinks.ts";
import { type MemoryStream, startMemoryStream } from "./memoryStream.ts";

const WENT_BACK = { code: "STORE_WENT_BACK", status: 503, retriable: true };
let stream: MemoryStream;
let sinks: MemorySinks;
let fresh: Fresh<ClickHouse>;
let witness: ClickHouseWitness;
beforeEach(async () => {
  [stream, fresh] = await Promise.all([startMemoryStream(), freshClickHouse()]);
  sinks = createMemorySinks(stream, fresh.store);
  witness = witnessOver(stream.postgres, fresh.store);
  sent = 0;
});
afterEach(async () => {
  await stream.drop();
  await fresh.drop();
});

let sent = 0;
function send(operation: string, members: object) {
  sent += 1;
  return stream.append(operation, [{ id: `request${sent}:0:0`, receivedAt: stream.clock.nowMs(), ...members }]);
}
const ADA = { identifiers: { customer_id: "ada-17" } };

/** Sends a contact's write and a visit, and has all groups process them. */
async function writeVisit(by: ClickHouseWitness = witness): Promise<void> {
  send("upsertContact", { contact: { ...ADA, attributes: { visits: sent }, canBeCreated: true, canBeUpdated: true } });
  send("createContactactivities", { contact: ADA, event: { name: "visit", time: "2026-01-01T00:00:00Z" } });
  await stream.apply();
  await sinks.publish();
  await sinks.activities({ witness: by });
  await sinks.history({ witness: by });
}
async function rowsOf(table: string): Promise<number> {
  const sql = `SELECT count() AS rows FROM ${table} WHERE account > 0`;
  const [row] = await fresh.store.query<{ rows: number }>(sql);
  return row?.rows ?? 0;
}
/** A process that has only just been started, and reads. */
const read = () => witnessOver(stream.postgres, fresh.store, false).expectIntact();

test("a first installation, its writes, and a restart of ClickHouse are no loss", async () => {
  await read();
  await writeVisit();
  await read();
  await reload(fresh.store);
  await read();
  await writeVisit();
  await read();
  expect(await rowsOf("activities")).toBe(2);
});

test("deletions of rows, merges and two projectors at once are no loss", async () => {
  await Promise.all([witness.expectIntact(), witnessOver(stream.postgres, fresh.store).expectIntact()]);
  await writeVisit();
  for (const table of ["activities", "contacts_current", "contact_fields_history"]) {
    await fresh.store.command(`DELETE FROM ${table} WHERE account = ${stream.account.number}`);
    await fresh.store.command(`ALTER TABLE ${table} APPLY DELETED MASK SETTINGS mutations_sync = 2`);
    await fresh.store.command(`OPTIMIZE TABLE ${table} FINAL`);
  }
  expect(await rowsOf("activities")).toBe(0);
  await read();
});

test.each(["activities", "contact_fields_history", "confirmed_marks"])(
  "an emptied table %s is noticed at once",
  async (table) => {
    await writeVisit();
    await fresh.store.command(`TRUNCATE TABLE ${table}`);
    await expect(read()).rejects.toMatchObject(WENT_BACK);
    await expect(witness.expectIntact()).rejects.toMatchObject(WENT_BACK);
  },
);

test("a table that was dropped is noticed, and one that was created again too", async () => {
  await writeVisit();
  await fresh.store.command("CREATE TABLE spare AS orders_current");
  await fresh.store.command("DROP TABLE orders_current SYNC");
  await expect(read()).rejects.toMatchObject({ ...WENT_BACK, publicMessage: expect.stringContaining("is missing") });
  await fresh.store.command("RENAME TABLE spare TO orders_current");
  await fresh.store.command("INSERT INTO orders_current (account) VALUES (0)");
  await expect(read()).rejects.toMatchObject({ ...WENT_BACK, publicMessage: expect.stringContaining("created again") });
});

test("a server whose data are gone is noticed before migrations have created its tables, and after", async () => {
  await writeVisit();
  const database = new URL(fresh.url).pathname.slice(1);
  const admin = (await freshClickHouse()).store;
  await admin.command(`DROP DATABASE ${database} SYNC`);
  await expect(read()).rejects.toMatchObject(WENT_BACK);
  await migrateClickHouse({ url: fresh.url, logger });
  const refusal = { ...WENT_BACK, publicMessage: expect.stringContaining("headwater stores rebuild clickhouse") };
  await expect(read()).rejects.toMatchObject(refusal);
  send("createContactactivities", { contact: ADA, event: { name: "visit", time: "2026-01-02T00:00:00Z" } });
  await stream.apply();
  await expect(sinks.activities({ witness: witnessOver(stream.postgres, fresh.store) })).rejects.toMatchObject(refusal);
  expect(await rowsOf("activities")).toBe(0);
  await expect(read()).rejects.toMatchObject(refusal);
  await admin.close();
});

test("another server is refused, whether it is new or another installation's", async () => {
  await writeVisit();
  const [empty, others] = await Promise.all([freshClickHouse(), freshClickHouse()]);
  const otherStream = await startMemoryStream();
  await witnessOver(otherStream.postgres, others.store).expectIntact();
  for (const { store } of [empty, others]) {
    await expect(witnessOver(stream.postgres, store).expectIntact()).rejects.toMatchObject(WENT_BACK);
  }
  // A Postgres that never wrote to ClickHouse does not take over what others wrote.
  const newStream = await startMemoryStream();
  await expect(witnessOver(newStream.postgres, others.store).expectIntact()).rejects.toMatchObject(WENT_BACK);
  await read();
  await Promise.all([empty, others, otherStream, newStream].map((one) => one.drop()));
});

test("an older copy is noticed by what it lacks, sinks write nothing to it, and the newer one is used again", async () => {
  await writeVisit();
  const older = await copyTables(fresh.store);
  await writeVisit();
  const newer = await copyTables(fresh.store);
  await older.putBack();
  await expect(read()).rejects.toMatchObject({ ...WENT_BACK, publicMessage: expect.stringContaining("up to offset") });
  send("createContactactivities", { contact: ADA, event: { name: "visit", time: "2026-01-02T00:00:00Z" } });
  await stream.apply();
  await expect(sinks.activities({ witness })).rejects.toMatchObject(WENT_BACK);
  expect(await rowsOf("activities")).toBe(1);
  await newer.putBack();
  await sinks.activities({ witness });
  expect(await rowsOf("activities")).toBe(3);
  await read();
  await Promise.all([older.drop(), newer.drop()]);
});

test("a copy that is put back between an insert and its mark is not marked", async () => {
  await writeVisit();
  const older = await copyTables(fresh.store);
  await writeVisit();
  send("createContactactivities", { contact: ADA, event: { name: "visit", time: "2026-01-02T00:00:00Z" } });
  await stream.apply();
  const passing = { expectIntact: async () => older.putBack(), mark: witness.mark.bind(witness) };
  await expect(sinks.activities({ witness: passing })).rejects.toMatchObject(WENT_BACK);
  await expect(read()).rejects.toMatchObject(WENT_BACK);
  await older.drop();
});

test("an installation from before the marks is given an identity, and is watched from then on", async () => {
  await writeVisit();
  await stream.postgres.execute({
    text: "UPDATE clickhouse_witness SET identity = NULL, is_established = false, migrations = 0, tables = '{}'",
  });
  await stream.postgres.execute({ text: "UPDATE stream_offsets SET marked_offset = 0" });
  for (const table of ["confirmed_marks", "orders_current"]) await fresh.store.command(`TRUNCATE TABLE ${table}`);
  await read();
  await writeVisit();
  await read();
  await fresh.store.command("TRUNCATE TABLE activities");
  await expect(read()).rejects.toMatchObject(WENT_BACK);
});
