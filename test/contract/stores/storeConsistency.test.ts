import type { ClickHouse } from "@headwater/clickhouse/clickhouse";
import { canonicalTimezone } from "@headwater/contracts";
import { lossesSeenByClickHouse } from "@headwater/guard/consistency/readEvidence";
import { skipNumbers } from "@headwater/guard/consistency/storeRecoveries";
import type { Postgres } from "@headwater/postgres/connection/postgres";
import {
  appendOutbox,
  deleteOutbox,
  readRelayProgress,
  setRelayProgress,
  unknownPositions,
} from "@headwater/postgres/outbox/outbox";
import { claimRange } from "@headwater/postgres/streams/pendingRanges";
import { openOffset } from "@headwater/postgres/streams/streamOffsets";
import { takeContactNumbers } from "@headwater/records/contacts/sequences";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Fresh, freshClickHouse, freshPostgres } from "./fresh.ts";

let postgres: Fresh<Postgres>;
let clickhouse: Fresh<ClickHouse>;

beforeEach(async () => {
  [postgres, clickhouse] = await Promise.all([freshPostgres(), freshClickHouse()]);
});
afterEach(async () => {
  await postgres.drop();
  await clickhouse.drop();
});

const key = { group: "activities", topic: "intake.records", generation: 1, partition: 3 } as const;
const pending = (to: number) => ({ to, token: `t${to}`, attempt: 0, transform: 1, shared: false });
const columns = ["account", "contact", "uid", "topic_generation", "lane", "partition", "log_offset"];

function writeActivity(offset: number, { lane: stream = 1, partition = 3 } = {}): Promise<void> {
  const body = `${JSON.stringify([1, 1, `u${offset}`, 1, stream, partition, offset])}\n`;
  return clickhouse.store.insertBlock({
    table: "activities",
    columns,
    body,
    token: `${stream}/${partition}/${offset}`,
  });
}

const losses = () => lossesSeenByClickHouse(postgres.store, clickhouse.store);

test("activities up to the end of a claimed range are no loss, one above it is", async () => {
  expect(await losses()).toEqual([]);
  await openOffset(postgres.store, key, 0);
  await claimRange(postgres.store, key, 0, pending(5));
  await writeActivity(4);
  expect(await losses()).toEqual([]);
  await writeActivity(5);
  expect(await losses()).toMatchObject([{ kind: "activities", partition: 3, stored: 5, seen: 6 }]);
});

test("activities of a partition that Postgres never opened are a loss, whatever other partitions hold", async () => {
  await openOffset(postgres.store, key, 100);
  await writeActivity(50);
  await writeActivity(7, { lane: 2, partition: 0 });
  expect(await losses()).toMatchObject([{ topic: "intake.bulk", partition: 0, stored: 0, seen: 8 }]);
});

test("a later check looks at newer parts only, and finds what they hold; a table made anew is looked at whole", async () => {
  await openOffset(postgres.store, key, 10);
  await writeActivity(3);
  await writeActivity(4);
  expect(await losses()).toEqual([]);
  await writeActivity(11);
  expect(await losses()).toHaveLength(1);
  await clickhouse.store.command("OPTIMIZE TABLE activities FINAL");
  expect(await losses()).toHaveLength(1);
  await clickhouse.store.command("TRUNCATE TABLE activities");
  expect(await losses()).toEqual([]);
  await writeActivity(12);
  expect(await losses()).toHaveLength(1);
});

test("a published place is known while it waits in the outbox and when it was marked, and no other is", async () => {
  const { store } = postgres;
  const row = (position: number) => ({ position, topic: "changes.contacts", sourcePartition: 0, payload: "{}" });
  await store.transaction((transaction) => appendOutbox(transaction, [row(1), row(2)]));
  await store.transaction((transaction) => appendOutbox(transaction, [row(3)]));
  const progress = await readRelayProgress(store);
  // Not as the relay reads them: transactions of other tests in this cluster hold it back.
  const positions = await store.query<{ xid: string; position: number }>({
    text: "SELECT xid::text AS xid, position FROM outbox ORDER BY position",
  });
  const [first, second, third] = positions;
  if (first === undefined || second === undefined || third === undefined) throw new Error("three rows were written");
  const lost = [
    { xid: third.xid, position: 4 },
    { xid: String(BigInt(third.xid) + 1n), position: 5 },
  ];
  const unknown = async () =>
    (await unknownPositions(store, [...positions, ...lost])).toSorted((a, b) => a.position - b.position);
  expect(await unknown()).toEqual(lost);
  await setRelayProgress(store, progress, { ...second, offsets: {} });
  await store.transaction((transaction) => deleteOutbox(transaction, progress, second));
  expect(await unknown()).toEqual(lost);
});

test("no number that anybody may have seen is given after a recovery", async () => {
  const { store } = postgres;
  const [taken = 0] = await takeContactNumbers(store, 1);
  await store.transaction((transaction) => skipNumbers(transaction, { contact: 5_000, revision: 7, account: 3 }));
  const [next = 0] = await takeContactNumbers(store, 1);
  expect(next).toBeGreaterThan(Math.max(taken, 5_000) + 50_000);
  await store.transaction((transaction) => skipNumbers(transaction, { contact: 0, revision: 0, account: 0 }));
  const [last = 0] = await takeContactNumbers(store, 1);
  expect(last).toBeGreaterThan(next + 50_000);
});

/** Names that ICU has, or had, and that are not IANA names. */
const RARE_ZONES = [
  ...["ACT", "AET", "AGT", "ART", "AST", "BET", "BST", "CAT", "CNT", "CST", "CTT", "EAT", "ECT", "IET", "IST", "JST"],
  ...["MIT", "NET", "NST", "PLT", "PNT", "PRT", "PST", "SST", "VST", "SystemV/AST4", "Etc/Unknown", "Factory"],
  ...["localtime", "posixrules", "posix/Europe/Berlin", "right/Europe/Berlin", "US/Pacific-New", "Asia/Hanoi"],
];

test("each zone that an account may have is one that both stores know", async () => {
  const [inPostgres, inClickHouse] = await Promise.all([
    postgres.store.query<{ name: string }>({ name: "zones", text: "SELECT name FROM pg_timezone_names" }, []),
    clickhouse.store.query<{ name: string }>("SELECT time_zone AS name FROM system.time_zones"),
  ]);
  const known = [inPostgres, inClickHouse].map((rows) => new Set(rows.map(({ name }) => name)));
  const names = [...known.flatMap((zones) => [...zones]), ...Intl.supportedValuesOf("timeZone"), ...RARE_ZONES];
  const zones = new Set(names.map(canonicalTimezone).filter((zone) => zone !== undefined));
  expect([...zones].filter((zone) => known.some((store) => !store.has(zone)))).toEqual([]);
  expect(zones.size).toBeGreaterThan(400);
});
