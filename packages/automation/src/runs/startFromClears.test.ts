import { type Version, versionOf } from "@headwater/contracts";
import { clearLists, deleteCleared, noteOverwritten } from "@headwater/records/lists/listClears";
import { loadMemberships, upsertMemberships } from "@headwater/records/lists/memberships";
import { type MemoryPostgres, startMemoryPostgres } from "@headwater/testing";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { startFromClears } from "./startFromClears.ts";
import { AT, failing, RunsWorld } from "./testRuns.ts";

let memory: MemoryPostgres;
let world: RunsWorld;
let account: number;
let offsets = 0;
beforeAll(async () => {
  memory = await startMemoryPostgres();
});
beforeEach(async () => {
  world = await RunsWorld.create(memory.postgres);
  account = world.account.number;
  const text = `INSERT INTO lists (account, id, name, name_key, display_name, created_at) VALUES ($1, $2, $3, $3, $3, $4)`;
  for (const [id, name] of [[1, "vip"] as const, [2, "news"] as const])
    await memory.postgres.execute({ text }, [account, id, name, AT]);
});
afterAll(() => memory.stop());

const end = { id: "end", type: "exit", config: { name: "through" } };
const leaving = { trigger: { list: { name: "VIP", on: "left" } }, actions: [end] };
const versionNow = (): Version =>
  versionOf(world.clock.nowMs(), { lane: 1, partition: 0, offset: ++offsets, place: 0 });

function put(contact: number, { list = 1, present = true } = {}): Promise<number> {
  const row = { account, list, contact, present, joinedAt: world.clock.nowMs(), version: versionNow() };
  return memory.postgres.transaction((transaction) => upsertMemberships(transaction, [row]));
}

async function clear({ list = 1, isSuppressed = false } = {}): Promise<Version> {
  const version = versionNow();
  await memory.postgres.transaction((transaction) =>
    clearLists(transaction, [{ account, list, version, isSuppressed }]),
  );
  return version;
}

/** Writes the row of a member again, as `state` does. */
async function putAgain(contact: number, present: boolean): Promise<void> {
  const before = await loadMemberships(memory.postgres, [{ account, list: 1, contact }]);
  await memory.postgres.transaction((transaction) => noteOverwritten(transaction, before));
  await put(contact, { present });
}

async function startAll(ports = world.process().ports): Promise<void> {
  while (await startFromClears(ports));
}

async function entered(): Promise<number[]> {
  const text = "SELECT contact FROM orchestration_runs WHERE account = $1 ORDER BY contact, id";
  return (await memory.postgres.query<{ contact: number }>({ text }, [account])).map(({ contact }) => contact);
}

test("a clear starts all who were on the list, and nobody else", async () => {
  await world.publish(leaving);
  await world.publish({ ...leaving, trigger: { list: { name: "VIP", on: "joined" } } });
  await put(1);
  await clear();
  await put(2);
  await put(3, { present: false });
  await startAll();
  expect(await entered()).toEqual([1]);
  await clear();
  await put(3);
  await put(1, { list: 2 });
  await clear({ list: 2, isSuppressed: true });
  await startAll();
  expect(await entered()).toEqual([1, 2]);
});

test("what was cleared before the orchestration was enabled starts nobody", async () => {
  const id = await world.publish(leaving);
  await put(1);
  await world.enable(id, false);
  await clear();
  await put(2);
  await world.publish({ ...leaving, trigger: { api: true } });
  await clear();
  await world.enable(id, true);
  await startAll();
  expect(await entered()).toEqual([]);
  const left = await memory.postgres.query({ text: "SELECT list FROM cleared_lists WHERE account = $1" }, [account]);
  expect(left).toEqual([]);
});

test("who comes back, is taken off or loses the row before it is their turn has left all the same, once", async () => {
  await world.publish({ ...leaving, entry: { reentry: "always" } });
  for (const contact of [1, 2, 3]) await put(contact);
  const version = await clear();
  await putAgain(1, true);
  await putAgain(2, false);
  await memory.postgres.transaction((transaction) => deleteCleared(transaction, { account, list: 1, version }, 0));
  await startAll();
  expect(await entered()).toEqual([1, 2, 3]);
  await clear();
  await startAll();
  expect(await entered()).toEqual([1, 1, 2, 3]);
});

const MANY = 1_100;

test("a long list is worked off in bounded transactions, and a kill at any of them starts nobody twice", async () => {
  await world.publish({ ...leaving, entry: { reentry: "always" } });
  const contacts = `INSERT INTO contacts (account, number, cid, created_at, modified_at, version, revision, doc)
    SELECT $1, n, 'm' || n, $2, $2, $3, 1, '{"v":[],"identifiers":[],"attributes":[],"channels":[]}' FROM generate_series(1000, 999 + ${MANY}) n`;
  await memory.postgres.execute({ text: contacts }, [account, AT, versionNow()]);
  const members = `INSERT INTO memberships (account, list, contact, present, joined_at, version)
    SELECT $1, 1, n, true, $2, $3 FROM generate_series(1000, 999 + ${MANY}) n`;
  await memory.postgres.execute({ text: members }, [account, AT, versionNow()]);
  await clear();
  let kills = 0;
  const killed = () => {
    kills += 1;
    return Object.assign(new Error("killed"), { code: "ECONNRESET" });
  };
  await startFromClears(world.process().ports);
  expect((await entered()).length).toBe(500);
  for (const when of ["before", "after"] as const) {
    const { ports } = world.process(failing(memory.postgres, { at: 1, when, killed }));
    await expect(startAll(ports)).rejects.toThrow();
  }
  await startAll();
  expect([kills, (await entered()).length, new Set(await entered()).size]).toEqual([2, MANY, MANY]);
});
