import { createAliasRevisions } from "@headwater/audiences/audiences/aliasRevisions";
import { createClickHouse } from "@headwater/clickhouse/clickhouse";
import { versionOf } from "@headwater/contracts";
import { createLogger } from "@headwater/kernel";
import { type MemoryPostgres, startMemoryPostgres } from "@headwater/testing";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { answerQuestions } from "./answerQuestions.ts";
import { pageRuns } from "./runReads.ts";
import { DAY, HOUR, RunsWorld } from "./testRuns.ts";

const silent = createLogger({ name: "test", level: "silent" });
let memory: MemoryPostgres;
let world: RunsWorld;
beforeAll(async () => {
  memory = await startMemoryPostgres();
});
beforeEach(async () => {
  world = await RunsWorld.create(memory.postgres);
  await world.createTemplate("reminder");
});
afterAll(() => memory.stop());

const message = { id: "remind", type: "message", config: { templateKey: "reminder" } };
const pause = { id: "pause", type: "delay", config: { for: { n: 1, unit: "day" } }, next: [{ id: "end" }] };
const end = { id: "end", type: "goal", config: { name: "through" } };
const reminder = { trigger: { event: { action: "go" } }, actions: [{ ...message, next: [{ id: "end" }] }, end] };
const error = { code: "INTERNAL_ERROR", message: "The step cannot be taken." };

/** Lets Postgres refuse a value of one contact's run: no fold sees it coming. */
async function breakStore(table: string, contact: number): Promise<void> {
  const name = `refuse_${table}_${world.account.number}`;
  await memory.postgres.execute({
    text: `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF NEW.account = ${world.account.number} AND NEW.contact = ${contact} AND NEW.state <> 'failed' THEN
        RAISE EXCEPTION 'refused' USING ERRCODE = '22003'; END IF; RETURN NEW; END $$`,
  });
  await memory.postgres.execute({
    text: `CREATE TRIGGER ${name} BEFORE INSERT OR UPDATE ON ${table} FOR EACH ROW EXECUTE FUNCTION ${name}()`,
  });
}

async function breakRun(contact: number, from: string, to: string): Promise<void> {
  const text = `UPDATE orchestration_runs SET run = replace(run, $3, $4) WHERE account = $1 AND contact = $2`;
  expect(await memory.postgres.execute({ text }, [world.account.number, contact, from, to])).toBe(1);
}

/** Returns how the runs of contacts 1, 2 and 3 are shown. */
async function shown(orchestration: string) {
  const page = { account: world.account.number, orchestration, direction: "asc", skip: 0, rowsMax: 10 } as const;
  const runs = await pageRuns(memory.postgres, page);
  return runs.toSorted((a, b) => a.cid.localeCompare(b.cid)).map(({ run }) => run.error ?? run.state);
}

async function enterAll(draft: object): Promise<string> {
  const orchestration = await world.publish(draft);
  for (const contact of [1, 2, 3]) await world.happen("go", { contact });
  await world.process().read();
  return orchestration;
}

test.each([
  ["whose version has no such node", '"node":"remind"', '"node":"gone"'],
  ["whose JSON cannot be read", '"visit"', '"visits"'],
])("the end of a send fails a run %s alone", async (_what, from, to) => {
  const orchestration = await enterAll(reminder);
  await breakRun(2, from, to);
  await world.settle();
  expect(await shown(orchestration)).toEqual(["completed", error, "completed"]);
});

test("the end of a send fails a run alone whose step the store refuses", async () => {
  const orchestration = await enterAll(reminder);
  await breakStore("orchestration_runs", 2);
  await world.settle();
  expect(await shown(orchestration)).toEqual(["completed", error, "completed"]);
});

test("an activity fails a run that cannot be stepped, and is given to all others", async () => {
  const wait = {
    ...{ id: "wait", type: "wait", next: [{ id: "end", label: "0" }] },
    config: { any: [{ event: "bought" }], timeout: { n: 1, unit: "day" } },
  };
  const orchestration = await enterAll({ ...reminder, actions: [wait, end] });
  await breakRun(2, '"visit"', '"visits"');
  for (const contact of [1, 2, 3]) await world.happen("bought", { contact });
  await world.settle();
  expect(await shown(orchestration)).toEqual(["completed", error, "completed"]);
});

test("a timer fails a run alone whose JSON cannot be read", async () => {
  const orchestration = await enterAll({ ...reminder, actions: [pause, end] });
  await breakRun(2, '"visit"', '"visits"');
  expect(await shown(orchestration)).toEqual(["waiting", "waiting", "waiting"]);
  world.clock.advance(DAY);
  await world.settle();
  expect(await shown(orchestration)).toEqual(["completed", error, "completed"]);
});

test("an answer fails a run alone that it breaks", async () => {
  const until = { time: "09:30", zone: "contact" };
  const orchestration = await enterAll({ ...reminder, actions: [{ ...pause, config: { until } }, end] });
  await breakStore("orchestration_runs", 2);
  // No criteria are asked for, so nobody asks ClickHouse.
  const clickHouse = createClickHouse({ url: "http://127.0.0.1:9/x", requestTimeoutMs: 1_000, logger: silent });
  const ports = { ...world.process().ports, clickHouse, aliasRevisions: createAliasRevisions({ clickHouse }) };
  const { clock } = world;
  clock.advance(1);
  expect(await answerQuestions(ports, clock.nowMs())).toBe(3);
  expect(await shown(orchestration)).toEqual(["waiting", error, "waiting"]);
  expect(await answerQuestions(ports, clock.nowMs())).toBe(0);
  await clickHouse.close();
  clock.advance(DAY);
  await world.settle();
  expect(await shown(orchestration)).toEqual(["completed", error, "completed"]);
});

test("a sweep fails a run alone that it breaks, and comes to its end", async () => {
  const orchestration = await enterAll({ ...reminder, actions: [pause, end] });
  await breakStore("orchestration_runs", 2);
  await world.enable(orchestration, false);
  await world.enable(orchestration, true);
  await world.sweep({ orchestration, kind: "wake" });
  const process = world.process();
  expect([await process.sweep(), await process.sweep()]).toEqual([true, false]);
  expect(await shown(orchestration)).toEqual(["waiting", error, "waiting"]);
});

test("a cart whose start breaks is shown as a failed run, and the others start", async () => {
  const draft = { ...reminder, trigger: { cart: { idle: { n: 1, unit: "hour" } } } };
  const orchestration = await world.publish(draft);
  for (const contact of [1, 2, 3]) {
    const version = versionOf(world.clock.nowMs(), { lane: 1, partition: 0, offset: contact, place: 0 });
    const text = "INSERT INTO carts (account, contact, version, revision, doc) VALUES ($1, $2, $3, 1, '{}')";
    const of = { account: world.account.number, contact, version };
    await memory.postgres.execute({ text }, Object.values(of));
    const cart = { cartId: "k", lines: 1, expiresAt: null, total: null, cart: {} };
    await world.append("changes.carts", { ...of, ...cart });
  }
  await world.settle();
  await breakStore("orchestration_runs", 2);
  world.clock.advance(2 * HOUR);
  await world.settle();
  expect(await shown(orchestration)).toEqual(["completed", error, "completed"]);
  expect(await world.process().moveDue()).toBe(0);
});
