import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { workOff } from "../../jobs/workOff.ts";
import { AT, versionAt } from "../../service/seed.ts";
import { seedAnalytics } from "../analyticsWorld.ts";
import { type ExportWorld, haveRead, loggedActivity, startExportWorld } from "./exportWorld.ts";

let world: ExportWorld;
beforeAll(async () => {
  world = await startExportWorld();
  await seedAnalytics(world.service, world.account, 0);
});
afterAll(() => world.drop());

const never = new AbortController().signal;
const read = async (sql: string) => {
  let bytes = 0;
  for await (const chunk of world.service.bulk.read({ sql, signal: never })) bytes += chunk.length;
  return bytes;
};

describe("a long answer of ClickHouse", () => {
  test("an answer that fails after the first megabyte is an error, however much of it came", async () => {
    const sql = "SELECT number, throwIf(number = 3000000) FROM numbers(4000000) FORMAT CSV";
    await expect(read(sql)).rejects.toThrow("throwIf");
  });

  test("an answer whose rows look like an error is whole", async () => {
    const row = "concat('__exception__\\r\\n', toString(number), '\\r\\nCode: 1. DB::Exception: no\\r\\n')";
    const rows = 2_000;
    const length = await read(`SELECT sum(length(${row})) FROM numbers(${rows}) FORMAT TSV`);
    expect(length).toBeGreaterThan(0);
    expect(await read(`SELECT ${row} FROM numbers(${rows}) FORMAT RawBLOB`)).toBeGreaterThan((60 * rows) / 2);
  });

  test("a query is ended in ClickHouse when nobody wants it any more", async () => {
    const stop = new AbortController();
    const sql =
      "INSERT INTO FUNCTION null('n UInt8') SELECT sleepEachRow(1) FROM numbers(600) SETTINGS max_block_size = 1";
    const create = "CREATE TABLE IF NOT EXISTS nothing (n UInt8) ENGINE = Null";
    await world.service.clickHouse.command(create);
    const running = world.service.bulk.run({
      sql: sql.replace("FUNCTION null('n UInt8')", "nothing"),
      signal: stop.signal,
    });
    const ended = expect(running).rejects.toThrow("enough");
    const queries = () =>
      world.service.clickHouse.query("SELECT 1 FROM system.processes WHERE query LIKE 'INSERT INTO nothing%'");
    await expect.poll(queries).toHaveLength(1);
    stop.abort(new Error("enough"));
    await ended;
    await expect.poll(queries).toHaveLength(0);
  });
});

/** Counts inserts that name the staging tables of a job. ClickHouse may show the names in the text of this query, too. */
async function running(jobId: string): Promise<number> {
  const sql =
    "SELECT count() AS queries FROM system.processes WHERE query_kind = 'Insert' AND position(query, {name: String}) > 0";
  const [row] = await world.service.clickHouse.query<{ queries: number }>(sql, { name: `export_staging_${jobId}` });
  return row?.queries ?? 0;
}

describe("an export", () => {
  test("waits for what was acknowledged before it, says for whom, and can be canceled", async () => {
    await haveRead(world, 5);
    world.service.highs.set("intake.records", 9);
    const { jobId } = (await world.post("contactexports", { fields: ["cID"] })).body;
    await workOff(world.service, jobId, world.folder);
    const waiting = await world.job(jobId);
    expect(waiting).toMatchObject({ status: "Throttled", metadata: { waitsFor: { group: "state", records: 4 } } });
    const canceled = await world.service.call(world.key, `/v2/jobs/${jobId}/cancel`, { method: "PUT" });
    expect(canceled.body).toMatchObject({ status: "Canceled" });
    await haveRead(world, 9);
    await workOff(world.service, jobId, world.folder);
    expect((await world.job(jobId)).metadata.files).toBeUndefined();
  });

  test("ends what a worker that was killed left running in ClickHouse", async () => {
    await haveRead(world, 9);
    const { jobId } = (await world.post("contactexports", { fields: ["cID"] })).body;
    const sql = `INSERT INTO FUNCTION null('n UInt8') SELECT sleepEachRow(1) /* export_staging_${jobId}_0_0 */ FROM numbers(600) SETTINGS max_block_size = 1`;
    const left = world.service.bulk.run({ sql, signal: AbortSignal.timeout(60_000) });
    const ended = expect(left).rejects.toThrow();
    await expect.poll(() => running(jobId)).toBe(1);
    await workOff(world.service, jobId, world.folder);
    expect(await world.job(jobId)).toMatchObject({ status: "Done" });
    await ended;
  });

  test("is staged again when ClickHouse has lost its rows, as after it was put back", async () => {
    await haveRead(world, 9);
    const { jobId } = (await world.post("contactexports", { fields: ["cID"], exportType: "jsonl" })).body;
    await world.untilPhase("write", jobId);
    const tables =
      "SELECT name FROM system.tables WHERE database = currentDatabase() AND startsWith(name, {prefix: String})";
    const staged = await world.service.clickHouse.query<{ name: string }>(tables, {
      prefix: `export_staging_${jobId}`,
    });
    for (const { name } of staged) await world.service.clickHouse.command(`DROP TABLE ${name} SYNC`);
    expect(staged.length).toBeGreaterThan(0);
    await workOff(world.service, jobId, world.folder);
    const done = await world.job(jobId);
    expect(done).toMatchObject({ status: "Done", metadata: { files: [{ rows: 2 }] } });
  });

  test("is made again without a person who is erased while it is written", async () => {
    await haveRead(world, 9);
    const { jobId } = (await world.post("contactexports", { fields: ["cID"], exportType: "jsonl" })).body;
    await world.untilPhase("manifest", jobId);
    const erased =
      "INSERT INTO erasures (account, version, numbers, cids, orders, records) VALUES ($1, $2, '{3}', '{}', '[]', '[]')";
    await world.service.postgres.execute({ text: erased }, [world.account.number, versionAt(AT)]);
    const row = {
      contact: 3,
      cid: "0".repeat(24),
      created_at: "2026-01-01 00:00:00.000",
      modified_at: "2026-01-01 00:00:00.000",
    };
    const gone = { ...row, version: versionAt(AT), merged_into: 0, deleted: 1, revision: 9 };
    await world.service.insert("contacts_current", world.account, [gone]);
    await workOff(world.service, jobId, world.folder);
    const done = await world.job(jobId);
    expect(done).toMatchObject({ status: "Done", metadata: { files: [{ rows: 1 }] } });
    expect((await world.bytes(done.metadata.files[0])).toString()).not.toContain("0003");
    expect(readdirSync(join(world.folder, world.account.id)).filter((name) => name.endsWith(".part"))).toEqual([]);
  });

  test("sorts all activities by time when that is asked for", async () => {
    await world.service.insert("activities", world.account, [
      loggedActivity(2, { offset: 3 }, { time: "2026-03-03 00:00:00.000" }),
      loggedActivity(1, { offset: 4 }, { time: "2026-03-01 00:00:00.000" }),
    ]);
    const timeframe = { start: "2000-01-01", end: "2100-01-01" };
    const done = await world.run("contactactivityexport", { timeframe, sort: "time", exportType: "jsonl" });
    const lines = (await world.bytes(done.metadata.files[0])).toString().trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line).id)).toEqual(["r:4:0", "r:3:0"]);
  });
});
