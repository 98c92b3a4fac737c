import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readHistoryStart } from "@headwater/accounts/accounts/accounts";
import { connect, createMemoryTerminal, runCommand } from "@headwater/cli";
import type { ClickHouse } from "@headwater/clickhouse/clickhouse";
import { migrateClickHouse } from "@headwater/clickhouse/migrate";
import type { ClickHouseWitness } from "@headwater/guard/clickHouseWitness/clickHouseWitness";
import { beginRebuild, readOpenRebuild } from "@headwater/guard/clickHouseWitness/rebuilds";
import type { Postgres } from "@headwater/postgres/connection/postgres";
import { useServices } from "@headwater/testing";
import { createTopicAdmin } from "@headwater/topics";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { digestOf, type FirstStored, goneOf, planRebuild } from "../../../apps/cli/src/stores/rebuild/planRebuild.ts";
import { rebuildClickHouse } from "../../../apps/cli/src/stores/rebuild/rebuildClickHouse.ts";
import { createMemorySinks, type MemorySinks } from "../intake/projector/memorySinks.ts";
import { type MemoryStream, startMemoryStream } from "../intake/projector/memoryStream.ts";
import { type Fresh, freshClickHouse, freshPostgres, logger } from "../stores/fresh.ts";
import { copyTables, witnessOver } from "../stores/putBack.ts";

const WENT_BACK = { code: "STORE_WENT_BACK", status: 503 };
const { kafkaBrokers } = useServices();
const ALL_STORED: FirstStored = new Map();
let stream: MemoryStream;
let sinks: MemorySinks;
let fresh: Fresh<ClickHouse>;
let state: Fresh<Postgres>;
let home: string;
let witness: ClickHouseWitness;
let sent = 0;
beforeAll(async () => {
  const topics = createTopicAdmin({ brokers: kafkaBrokers.split(","), clientId: "test", logger });
  await topics.apply();
  await topics.close();
  home = await mkdtemp(join(tmpdir(), "headwater-cli-"));
});
afterAll(() => rm(home, { recursive: true }));
beforeEach(async () => {
  [state, fresh] = await Promise.all([freshPostgres(), freshClickHouse()]);
  stream = await startMemoryStream(state);
  sinks = createMemorySinks(stream, fresh.store);
  witness = witnessOver(stream.postgres, fresh.store);
  sent = 0;
});
afterEach(async () => {
  await stream.drop();
  await fresh.drop();
});

const contactOf = (person: number) => ({ identifiers: { customer_id: `person-${person}` } });
function send(operation: string, members: object): void {
  sent += 1;
  stream.append(operation, [{ id: `request${sent}:0:0`, receivedAt: stream.clock.nowMs(), ...members }]);
}

/** Has a person change and visit, and all groups process it. */
async function visit(person: number, color: string): Promise<void> {
  send("upsertContact", {
    contact: { ...contactOf(person), attributes: { color }, canBeCreated: true, canBeUpdated: true },
  });
  send("createContactactivities", {
    contact: contactOf(person),
    event: { name: "visit", time: "2026-01-01T00:00:00Z" },
  });
  await stream.apply();
  await runSinks();
}
async function runSinks(): Promise<void> {
  await sinks.publish();
  await sinks.activities({ witness });
  await sinks.history({ witness });
}

/** Everything that ClickHouse shows: activities with their contacts, and the present state of fields. */
async function view() {
  const activities = await fresh.store.query(
    "SELECT contact, record, log_offset AS at FROM activities FINAL WHERE account > 0 ORDER BY log_offset, record",
  );
  const fields = await fresh.store.query(
    `SELECT contact, field, text FROM contact_fields_current FINAL WHERE account > 0 AND kind != 'removed' ORDER BY contact, field`,
  );
  const contacts = await fresh.store.query(
    "SELECT contact, cid, version FROM contacts_current FINAL WHERE account > 0 ORDER BY contact",
  );
  return { activities, fields, contacts };
}
const rowsOf = async (table: string) => (await fresh.store.query(`SELECT 1 FROM ${table} WHERE account > 0`)).length;

interface Run {
  readonly firstKept?: FirstStored;
  /** Interrupts the command when it says this. */
  readonly diesAt?: RegExp;
}

/** Does work next to a projector that goes on all the time, and waits where the rebuild says so. */
async function nextToProjector<Result>(work: () => Promise<Result>): Promise<Result> {
  const ended = new AbortController();
  const projector = async () => {
    while (!ended.signal.aborted)
      await runSinks().catch((error: { code?: string }) => expect(error.code).toBe("STORE_WENT_BACK"));
  };
  const [result] = await Promise.allSettled([work().finally(() => ended.abort()), projector()]);
  if (result.status === "rejected") throw result.reason;
  return result.value;
}

/** Runs the command as an operator types it. */
async function headwater(...args: readonly string[]) {
  const { terminal, out, said } = createMemoryTerminal({ input: "" });
  const addresses = { POSTGRES_URL: state.url, CLICKHOUSE_URL: fresh.url, KAFKA_BROKERS: kafkaBrokers };
  const env = { HEADWATER_HOME: home, ...addresses };
  const code = await runCommand({ args: ["stores", "rebuild", "clickhouse", ...args], env, terminal, connect });
  return { code, out: out(), said: said() };
}

/** Runs the command next to a projector that goes on all the time. */
async function rebuild({ firstKept: firstStored = ALL_STORED, diesAt }: Run = {}) {
  const { postgres } = stream;
  const ports = { postgres, clickhouse: fresh.store, firstKept: firstStored };
  const open =
    (await readOpenRebuild(postgres)) ??
    (await beginRebuild(postgres, { plan: JSON.stringify(await planRebuild(ports)), reason: "test", by: "test" }));
  const killed = new AbortController();
  const onStep = (line: string) => {
    if (diesAt?.test(line)) killed.abort(new Error("killed"));
    killed.signal.throwIfAborted();
  };
  const ported = { ...ports, clickhouseUrl: fresh.url, cluster: undefined, logger, onStep, signal: killed.signal };
  return nextToProjector(() => rebuildClickHouse(ported, open));
}
const read = () => witnessOver(stream.postgres, fresh.store, false).expectIntact();

async function empty(): Promise<void> {
  const database = new URL(fresh.url).pathname.slice(1);
  await fresh.store.command(`DROP DATABASE ${database} SYNC`).catch(() => undefined);
  await migrateClickHouse({ url: fresh.url, logger });
}

test("an emptied ClickHouse is written again from a log that is whole, each activity once and nothing amiss in history", async () => {
  for (const [person, color] of [
    ["1", "red"],
    ["2", "blue"],
    ["1", "green"],
  ] as const)
    await visit(Number(person), color);
  const before = await view();
  await empty();
  await expect(read()).rejects.toMatchObject(WENT_BACK);
  await rebuild();
  await read();
  expect(await view()).toEqual(before);
  expect(await rowsOf("activities")).toBe(3);
  const { number } = stream.account;
  expect(await readHistoryStart(stream.postgres, number)).toBeLessThan(Date.now() - 1);
  await visit(3, "white");
  await read();
});

test("an older copy keeps its rows and is given what it lacks, nothing twice", async () => {
  await visit(1, "red");
  const older = await copyTables(fresh.store);
  await visit(2, "blue");
  await visit(1, "green");
  const before = await view();
  await older.putBack();
  const plan = await planRebuild({ postgres: stream.postgres, clickhouse: fresh.store, firstKept: ALL_STORED });
  expect(plan).toMatchObject({ isCopy: true, emitsState: false });
  expect(plan.streams.find(({ group }) => group === "activities")).toMatchObject({ held: 2, start: 2, target: 6 });
  await rebuild();
  await read();
  expect(await view()).toEqual(before);
  expect(await rowsOf("activities")).toBe(3);
  await older.drop();
});

test("what the log has lost comes from Postgres as it is now, activities are told by number, and history begins again", async () => {
  await visit(1, "red");
  await visit(2, "blue");
  const before = await view();
  await empty();
  const gone = [...Array(8).keys()].map((partition) => ({ partition, low: 1_000 }));
  const firstKept: FirstStored = new Map(
    ["intake.records", "changes.contacts", "changes.memberships", "changes.orders", "changes.carts"].map((topic) => [
      topic,
      gone,
    ]),
  );
  const plan = await planRebuild({ postgres: stream.postgres, clickhouse: fresh.store, firstKept });
  expect(plan).toMatchObject({ isCopy: false, emitsState: true });
  const activities = plan.streams.filter(({ group }) => group === "activities");
  expect(activities.reduce((sum, one) => sum + goneOf(one), 0)).toBe(4);
  const begunAt = Date.now();
  const { events } = await rebuild({ firstKept });
  expect(events).toBe(2);
  await read();
  expect(await view()).toEqual({ ...before, activities: [] });
  expect(await readHistoryStart(stream.postgres, stream.account.number)).toBeGreaterThanOrEqual(begunAt);
  await visit(1, "green");
  expect(await view()).toMatchObject({ fields: expect.arrayContaining([expect.objectContaining({ text: "green" })]) });
});

test.each([/waiting for ranges/, /preparing the tables/, /frames of the log are left/])(
  "a rebuild that is killed at %s refuses reads until it was run again, and then holds the same",
  async (diesAt) => {
    await visit(1, "red");
    await visit(2, "blue");
    const before = await view();
    await empty();
    await expect(rebuild({ diesAt })).rejects.toThrow("killed");
    await expect(read()).rejects.toMatchObject(WENT_BACK);
    await rebuild();
    await read();
    expect(await view()).toEqual(before);
  },
);

test("a plan has the same digest while the installation runs on, and another one when less can be restored", async () => {
  await visit(1, "red");
  await empty();
  const ports = { postgres: stream.postgres, clickhouse: fresh.store };
  const plan = await planRebuild({ ...ports, firstKept: ALL_STORED });
  const moved = { ...plan, streams: plan.streams.map((one) => ({ ...one, target: one.target + 5 })) };
  expect(digestOf(moved)).toBe(digestOf(plan));
  const firstKept: FirstStored = new Map([["changes.contacts", [{ partition: 0, low: 9 }]]]);
  expect(digestOf(await planRebuild({ ...ports, firstKept }))).not.toBe(digestOf(plan));
});

test("the command shows its plan, does what it has shown and nothing else, and says how far it is", async () => {
  await visit(1, "red");
  await visit(2, "blue");
  const before = await view();
  expect(await headwater()).toMatchObject({ code: 0, said: expect.stringContaining("nothing to rebuild") });
  await empty();
  const preview = await headwater("--json");
  expect(preview.code).toBe(0);
  expect(JSON.parse(preview.out)).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ what: "ClickHouse", where: expect.stringContaining("emptied first") }),
      expect.objectContaining({ what: "activities", held: 0, gone: 0 }),
    ]),
  );
  const digest = /--confirm (\w+)/.exec(preview.said)?.[1] ?? "";
  const confirmed = ["--yes", "--confirm", digest, "--reason", "a test"];
  expect(await headwater("--yes", "--confirm", "another", "--reason", "a test")).toMatchObject({
    code: 2,
    said: expect.stringContaining("PREVIEW_STALE"),
  });
  expect(await headwater("--yes", "--confirm", digest)).toMatchObject({
    code: 2,
    said: expect.stringContaining("--reason is required"),
  });
  expect(await headwater(...confirmed, "--dry-run")).toMatchObject({ code: 0, said: expect.stringContaining(digest) });
  expect(await readOpenRebuild(stream.postgres)).toBeUndefined();
  await expect(read()).rejects.toMatchObject(WENT_BACK);
  const done = await nextToProjector(() => headwater(...confirmed));
  expect(done.code).toBe(0);
  expect(done.said).toMatch(/preparing the tables[\s\S]*Rebuild 1 is complete/);
  await read();
  expect(await view()).toEqual(before);
});
