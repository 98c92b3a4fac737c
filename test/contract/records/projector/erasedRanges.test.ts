import type { ClickHouse } from "@headwater/clickhouse/clickhouse";
import { readStoredJob } from "@headwater/jobs/queue/jobs";
import { startJob } from "@headwater/jobs/queue/startJob";
import { retryOnConflict } from "@headwater/postgres/connection/writeConflict";
import { insertResolutions } from "@headwater/postgres/streams/activityResolutions";
import { readContactByIdentifiers } from "@headwater/records/contacts/contactReads";
import { noChangeEvents } from "@headwater/records/fold/foldEvents";
import { writeState } from "@headwater/records/writes/writeState";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createMemorySinks, type MemorySinks } from "../../intake/projector/memorySinks.ts";
import { type MemoryStream, startMemoryStream } from "../../intake/projector/memoryStream.ts";
import { workOff } from "../../jobs/workOff.ts";
import { type Fresh, freshClickHouse, gate } from "../../stores/fresh.ts";

const OLD = "ada.before@example.com";
const SHARED = "family@example.com";
const NOW = "ada@example.com";
const CUSTOMER = { customer_id: "ada-17" };
const OTHER = { customer_id: "bob-18" };
/** A second on an idle machine; a job's checks and ClickHouse's clean-up took over thirty next to a load of 15. */
const PARTS_GONE_MS = 100_000;
let stream: MemoryStream;
let sinks: MemorySinks;
let fresh: Fresh<ClickHouse>;
beforeAll(async () => {
  [stream, fresh] = await Promise.all([startMemoryStream(), freshClickHouse()]);
  sinks = createMemorySinks(stream, fresh.store);
});
afterAll(async () => {
  await stream.drop();
  await fresh.drop();
});

let sent = 0;
function send(operation: string, members: object) {
  sent += 1;
  return stream.append(operation, [{ id: `request${sent}:0:0`, receivedAt: stream.clock.nowMs(), ...members }]);
}
const upsert = (identifiers: object, attributes: object) =>
  send("upsertContact", { contact: { identifiers, attributes, canBeCreated: true, canBeUpdated: true } });
const visit = (identifiers: object) =>
  send("createContactactivities", { contact: { identifiers }, event: { name: "visit", time: "2026-01-01T00:00:00Z" } });
const find = (name: string, value: string) =>
  readContactByIdentifiers(stream.postgres, stream.account.number, [{ name, value }]);

/** Returns ClickHouse's rows about the contacts, by table and number. */
async function storedContacts(): Promise<Record<string, readonly number[]>> {
  const tables = ["activities", "contacts_current", "contact_fields_history", "orders_current", "orders_history"];
  const found: Record<string, readonly number[]> = {};
  for (const table of tables) {
    const rows = await fresh.store.query<{ contact: number }>(`SELECT DISTINCT contact FROM ${table} ORDER BY contact`);
    found[table] = rows.map(({ contact }) => contact);
  }
  return found;
}

/** Erases like `DELETE /v2/contacts/{primary_key}`. */
function erase(): Promise<string> {
  const { account, clock, postgres } = stream;
  return retryOnConflict(() =>
    postgres.transaction(async (transaction) => {
      const { result, version } = await writeState({ transaction, nowMs: clock.nowMs() }, account, {
        kind: "v2",
        recordId: "erasure:0:0",
        fold: (state, { version }) => {
          const contact = state.find({ name: "email", value: NOW });
          if (contact === undefined) throw new Error("there is somebody to be erased");
          state.erase(contact, version);
          const identifiers = [...contact.identifiers].map(([name, [value = ""]]) => ({ name, value }));
          return { identifiers, changeEvents: noChangeEvents };
        },
      });
      const { identifiers } = result;
      const job = { account: account.number, jobName: "DeleteContact", input: { version, identifiers } } as const;
      const add = async () => undefined;
      const queue = { add, giveBack: add, hasRoom: async () => true, isOthersTurn: async () => false };
      return startJob(transaction, queue, { ...job, totalItems: 1, madeBy: "test", nowMs: clock.nowMs() });
    }),
  );
}
const work = async (jobId: string) => {
  await workOff({ postgres: stream.postgres, clickHouse: fresh.store }, jobId);
  return readStoredJob(stream.postgres, stream.account.number, jobId);
};

let ada = 0;
let bob = 0;
let jobId = "";

test("an erasure waits for a range that was claimed before it and is not written yet", async () => {
  upsert({ email: OLD, ...CUSTOMER }, { plan: "gold" });
  upsert(CUSTOMER, { email: SHARED });
  upsert(CUSTOMER, { email: NOW });
  upsert({ email: SHARED, ...OTHER }, { plan: "tin" });
  const items = [{ productID: "p", sku: "s", name: "n", qty: 1 }];
  const order = { orderID: "o", purchaseDate: "2026-01-01", items };
  send("upsertOrder", { contact: { identifiers: OTHER }, order });
  await stream.apply();
  send("upsertOrder", { contact: { identifiers: CUSTOMER, canBeUpdated: true }, order });
  visit(CUSTOMER);
  visit(OTHER);
  await stream.apply();
  ada = (await find("email", NOW))?.number ?? 0;
  bob = (await find("customer_id", OTHER.customer_id))?.number ?? 0;
  await sinks.publish();
  await sinks.history();
  expect((await storedContacts()).orders_history).toEqual([ada, bob]);

  const claimed = gate();
  const erased = gate();
  const beforeInsert = async () => {
    claimed.open();
    await erased.opened;
  };
  const writing = sinks.activities({ beforeInsert });
  await claimed.opened;
  stream.clock.advance(1_000);
  jobId = await erase();
  await work(jobId);
  await sinks.publish();
  await sinks.history();
  expect(await work(jobId)).toMatchObject({ status: "Processing" });
  erased.open();
  await writing;
  expect((await storedContacts()).activities).toEqual([ada, bob]);
  // ClickHouse removes the parts that held its rows in its own time.
  await expect.poll(async () => (await work(jobId))?.status, { timeout: PARTS_GONE_MS }).toBe("Done");
  expect(await work(jobId)).toMatchObject({ input: {} });
  const rest = { activities: [bob], contacts_current: [bob], contact_fields_history: [bob] };
  expect(await storedContacts()).toEqual({ ...rest, orders_current: [], orders_history: [] });
});

test("everything that was published, read once more from the beginning, brings nothing of the person back", async () => {
  await stream.postgres.execute({ text: "DELETE FROM stream_offsets WHERE grp = 'history'" });
  for (const table of ["contacts_current", "contact_fields_history"])
    await fresh.store.command(`TRUNCATE TABLE ${table}`);
  await sinks.history();
  const rest = { contacts_current: [bob], contact_fields_history: [bob], orders_current: [], orders_history: [] };
  expect(await storedContacts()).toEqual({ activities: [bob], ...rest });
});

test("a resolution for the person that comes late is left out, and the range goes on", async () => {
  const { offset } = visit(OTHER);
  const key = { topic: "intake.records", generation: 1, partition: 0 };
  const resolutions = Buffer.alloc(16);
  resolutions.writeUInt32LE(1, 4);
  resolutions.writeBigUInt64LE(BigInt(ada), 8);
  const row = { firstOffset: offset, nextOffset: offset + 1, resolutions };
  await stream.postgres.transaction((transaction) => insertResolutions(transaction, key, row));
  const text = "UPDATE stream_offsets SET next_offset = $1, last_print = NULL WHERE grp = 'state'";
  await stream.postgres.execute({ text }, [offset + 1]);
  stream.clock.advance(1_000);
  await sinks.activities();
  expect((await storedContacts()).activities).toEqual([bob]);
});

test("an earlier address brings nobody back either, and the one that another has now is the other's", async () => {
  const again =
    "UPDATE stream_offsets SET next_offset = 0, window_from = 0, last_record_id = NULL, greatest_time = 0 WHERE grp = 'state'";
  await stream.postgres.execute({ text: again });
  await stream.apply();
  for (const value of [OLD, NOW]) expect(await find("email", value)).toBeUndefined();
  expect((await find("email", SHARED))?.number).toBe(bob);
  const [row] = await stream.postgres.query<{ n: number }>({ text: "SELECT count(*) AS n FROM contacts" });
  expect(row?.n).toBe(1);

  // A late record of the other's, from before the erasure: their address is no tombstone.
  const version = "00000000001000000000000000000000";
  const late = async (identifiers: object, city: string) => {
    sent += 1;
    const contact = { identifiers, attributes: { city }, canBeUpdated: true };
    const record = { id: `request${sent}:0:0`, receivedAt: 0, contact };
    const value = Buffer.from(
      JSON.stringify({ subject: "intake.upsertContact", value: { account: stream.account.id, records: [record] } }),
    );
    await stream.write([{ topic: "intake.records", partition: 0, key: "", value, headers: { version } }]);
    await stream.apply();
  };
  await late({ email: SHARED, ...OTHER }, "Rome");
  expect((await find("email", SHARED))?.doc).toContain("Rome");
  // One that names the address alone is of the time in which it was the erased person's.
  await late({ email: SHARED }, "Oslo");
  expect((await find("email", SHARED))?.doc).not.toContain("Oslo");
});
