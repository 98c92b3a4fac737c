import { adoptCluster, type ClusterSeen, planClusterAdoption } from "@headwater/guard/consistency/adoptCluster";
import type { LogWitness } from "@headwater/guard/consistency/evidence";
import { lossesSeenByLog } from "@headwater/guard/consistency/readEvidence";
import { identityLosses, readIdentityFacts } from "@headwater/guard/consistency/storeIdentity";
import type { Postgres } from "@headwater/postgres/connection/postgres";
import {
  appendOutbox,
  deleteOutbox,
  type OutboxPosition,
  readRelayProgress,
  setRelayProgress,
} from "@headwater/postgres/outbox/outbox";
import { takeStreamWatermark } from "@headwater/postgres/outbox/streamWatermarks";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Fresh, freshPostgres } from "./fresh.ts";

/*
 * A restored dump holds transaction numbers of the cluster that it comes from. They are made here as a dump would bring them: the mark
 * and the rows of the outbox name numbers that this cluster will not reach for years, and the last identity is another one.
 */

let fresh: Fresh<Postgres>;
let store: Postgres;

beforeEach(async () => {
  fresh = await freshPostgres();
  ({ store } = fresh);
});
afterEach(() => fresh.drop());

const FORMER = "7000000000000000001";
const FAR = 9_000_000_000n;
const nothingSeen: ClusterSeen = { stores: [], places: [], numbers: { contact: 0, revision: 0, account: 0 } };
const row = (position: number) => ({
  position,
  topic: "changes.contacts",
  sourcePartition: 0,
  payload: `{"n":${position}}`,
});

async function append(...positions: number[]): Promise<void> {
  await store.transaction((transaction) => appendOutbox(transaction, positions.map(row)));
}

/** Rows of the former cluster: two are published and marked, two wait. */
async function restoreDump(): Promise<void> {
  await append(3, 4);
  await store.execute({ text: "UPDATE outbox SET xid = ($1::bigint + position)::text::xid8" }, [String(FAR)]);
  const mark =
    "UPDATE relay_progress SET xid = $1::bigint::text::xid8, position = 2, horizon = ($1::bigint + 1)::text::xid8";
  await store.execute({ text: mark }, [String(FAR)]);
  const identity = "INSERT INTO store_identities (system_identifier, database, xid_base) VALUES ($1, 1, 0)";
  await store.execute({ text: identity }, [FORMER]);
}

async function adopt(seen: ClusterSeen = nothingSeen) {
  const plan = await planClusterAdoption(store, seen);
  if (plan === undefined) throw new Error("there is something to adopt");
  await store.transaction((transaction) => adoptCluster(transaction, plan));
  return plan;
}

/** Positions in the order of publication. Not as the relay reads them: transactions of other tests in this cluster hold it back. */
function waiting(): Promise<OutboxPosition[]> {
  const text = `SELECT o.xid::text AS xid, o.position FROM outbox o, relay_progress r WHERE (o.xid, o.position) > (r.xid, r.position)
    ORDER BY o.xid, o.position`;
  return store.query<OutboxPosition & Record<string, unknown>>({ text });
}
const positions = async () => (await waiting()).map(({ position }) => position);

/** Publishes all that waits, as the relay does. */
async function publishAll(): Promise<void> {
  const progress = await readRelayProgress(store);
  const last = (await waiting()).at(-1);
  if (last === undefined) throw new Error("rows wait");
  expect(await setRelayProgress(store, progress, { ...last, offsets: {} })).toBe(true);
  await deleteOutbox(store, progress, last);
}

test("the first check records the cluster, and later ones find it", async () => {
  expect(await identityLosses(store)).toEqual([]);
  expect(await identityLosses(store)).toEqual([]);
  await append(1);
  await publishAll();
  expect(await identityLosses(store)).toEqual([]);
  const rows = await store.query({ text: "SELECT id FROM store_identities" });
  expect(rows).toHaveLength(1);
  expect(await planClusterAdoption(store, nothingSeen)).toBeUndefined();
});

test("a copy in another database of the same cluster is recorded without an operator: its numbers go on", async () => {
  await identityLosses(store);
  await store.execute({ text: "UPDATE store_identities SET database = 1" });
  expect(await identityLosses(store)).toEqual([]);
  expect(await store.query({ text: "SELECT id FROM store_identities" })).toHaveLength(2);
});

test("data of another cluster is refused, whatever its transaction numbers are", async () => {
  await identityLosses(store);
  await store.execute({ text: "UPDATE store_identities SET system_identifier = $1" }, [FORMER]);
  expect(await identityLosses(store)).toMatchObject([{ kind: "identity", known: FORMER }]);
});

test("fallen transaction numbers are refused where no version has recorded the cluster yet", async () => {
  await append(1);
  await store.execute({ text: "UPDATE relay_progress SET xid = $1::bigint::text::xid8" }, [String(FAR)]);
  expect(await identityLosses(store)).toMatchObject([{ kind: "transactions", marked: String(FAR) }]);
  await adopt();
  expect(await identityLosses(store)).toEqual([]);
});

test("a row at or before the relay's mark is found, and the relay never deletes it", async () => {
  await identityLosses(store);
  await append(1);
  const [passed] = await waiting();
  if (passed === undefined) throw new Error("a row was written");
  await append(2);
  await store.execute({ text: "UPDATE relay_progress SET xid = $1::text::xid8, position = $2" }, [
    passed.xid,
    passed.position,
  ]);
  await publishAll();
  expect(await store.query({ text: "SELECT position FROM outbox" })).toEqual([{ position: 1 }]);
  expect(await identityLosses(store)).toMatchObject([{ kind: "transactions" }]);
  await adopt();
  expect(await positions()).toEqual([1]);
});

test("after an adoption every row is published once, in order, and no number falls", async () => {
  await restoreDump();
  await append(5);
  expect(await identityLosses(store)).toMatchObject([{ kind: "identity", known: FORMER }]);
  const plan = await adopt();
  expect(plan).toMatchObject({ former: [FORMER], baseBefore: "0", waiting: 3, passed: 1 });
  expect(await identityLosses(store)).toEqual([]);
  await append(6);
  expect(await positions()).toEqual([3, 4, 5, 6]);
  const xids = (await waiting()).map(({ xid }) => BigInt(xid));
  expect(xids.toSorted((a, b) => Number(a - b))).toEqual(xids);
  const watermark = await store.transaction(takeStreamWatermark);
  expect(BigInt(watermark.xid)).toBeGreaterThan(xids.at(-1) ?? 0n);
  await publishAll();
  expect(await store.query({ text: "SELECT position FROM outbox" })).toEqual([]);
  expect(await identityLosses(store)).toEqual([]);
});

test("an adopted copy is adopted again in a third cluster", async () => {
  await restoreDump();
  const { baseAfter } = await adopt();
  await append(5);
  await store.execute({ text: "UPDATE store_identities SET system_identifier = 'x' || id" });
  const again = await adopt();
  expect(again.baseBefore).toBe(baseAfter);
  expect(BigInt(again.baseAfter)).toBeGreaterThan(BigInt(baseAfter));
  await append(6);
  expect(await positions()).toEqual([3, 4, 5, 6]);
});

test("numbers go on above all that ClickHouse, Kafka and the outbox name", async () => {
  await restoreDump();
  await append(800_000);
  const seen = {
    stores: [FORMER, "7000000000000000009"],
    places: [{ xid: String(FAR * 4n) }],
    numbers: { contact: 500_000, revision: 700_000, account: 7 },
  };
  const plan = await adopt(seen);
  expect(plan.former).toEqual([FORMER, "7000000000000000009"]);
  expect(BigInt(plan.baseAfter)).toBeGreaterThan(FAR * 4n);
  const [next] = await store.query<{ revision: number; contact: number }>({
    text: "SELECT nextval('outbox_positions') AS revision, nextval('contact_numbers') AS contact",
  });
  expect(next?.revision).toBeGreaterThan(800_000);
  expect(next?.contact).toBeGreaterThan(500_000);
  expect(await planClusterAdoption(store, seen)).toBeUndefined();
});

test("a cluster that Kafka's commits name and the data does not is another one's log", async () => {
  await identityLosses(store);
  const plan = await planClusterAdoption(store, { ...nothingSeen, stores: [FORMER] });
  expect(plan?.former).toContain(FORMER);
});

test("an empty database in the cluster of the former one is refused, and one that was restored from its dump is used", async () => {
  await identityLosses(store);
  const { found, database } = await readIdentityFacts(store);
  const former = `${found}/${database + 1}`;
  const commit = { group: "state", topic: "intake.records", partition: 0, offset: 7, generation: 1 };
  const log: LogWitness = {
    commits: async () => [{ ...commit, store: former }],
    publishedEnds: async () => [],
    publishedPlaces: async () => [],
    intents: async () => undefined,
  };
  expect(await lossesSeenByLog(store, log)).toEqual([
    { kind: "identity", found: `${found}/${database}`, known: former },
  ]);
  const dumped = "INSERT INTO store_identities (system_identifier, database, xid_base) VALUES ($1, $2, 0)";
  await store.execute({ text: dumped }, [found, database + 1]);
  expect(await lossesSeenByLog(store, log)).toEqual([]);
});

test("an empty database that was adopted is not refused again", async () => {
  await identityLosses(store);
  const { found, database } = await readIdentityFacts(store);
  const seen = { ...nothingSeen, stores: [`${found}/${database + 1}`] };
  expect((await adopt(seen)).former).toEqual([found, `${found}/${database + 1}`]);
  expect(await identityLosses(store)).toEqual([]);
  expect(await planClusterAdoption(store, seen)).toBeUndefined();
});
