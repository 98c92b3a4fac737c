import type { ClickHouse } from "@headwater/clickhouse/clickhouse";
import type { ClickHouseWitness } from "@headwater/guard/clickHouseWitness/clickHouseWitness";
import { bulkWithWitness, withWitness } from "@headwater/guard/clickHouseWitness/withWitness";
import { createFileStore } from "@headwater/jobs/files/fileStore";
import { afterEach, beforeEach, expect, test } from "vitest";
import { cid, seedAnalytics } from "../analytics/analyticsWorld.ts";
import { haveRead, loggedActivity } from "../analytics/exports/exportWorld.ts";
import { freshFolder, workOff } from "../jobs/workOff.ts";
import { type Fresh, freshClickHouse } from "../stores/fresh.ts";
import { type ClickHouseCopy, copyTables, witnessOver } from "../stores/putBack.ts";
import { type Running, startService } from "./running.ts";

const ACTIVITIES = { group: "activities", topic: "intake.records", generation: 1, partition: 0 };
const folder = freshFolder();
let fresh: Fresh<ClickHouse>;
let service: Running;
let key: string;
let witness: ClickHouseWitness;
let older: ClickHouseCopy;
let newer: ClickHouseCopy;

/** The activities group has written everything below the offset. */
async function confirm(offset: number): Promise<void> {
  await witness.mark([{ key: ACTIVITIES, to: offset }]);
  await haveRead({ service }, offset);
  const text = "UPDATE stream_offsets SET marked_offset = next_offset WHERE grp = 'activities'";
  await service.postgres.execute({ text });
}

beforeEach(async () => {
  fresh = await freshClickHouse();
  const checked = withWitness(fresh.store, { expectIntact: () => witness.expectIntact() });
  service = await startService({ clickHouse: checked, files: createFileStore({ folder }) }, fresh);
  witness = witnessOver(service.postgres, fresh.store);
  await witness.expectIntact();
  const { account } = await service.account();
  key = await service.key(account, { scopes: ["read", "write", "admin"] });
  await seedAnalytics(service, account, 0);
  await service.insert("activities", account, [loggedActivity(1, { offset: 1 })]);
  await confirm(2);
  older = await copyTables(fresh.store);
  await service.insert("activities", account, [loggedActivity(3, { offset: 2 })]);
  await confirm(3);
  newer = await copyTables(fresh.store);
});
afterEach(async () => {
  await Promise.all([older.drop(), newer.drop()]);
  await service.stop();
  await fresh.drop();
});

const read = (path: string) => service.call(key, `/v2/${path}`);
const post = (path: string, body: object) => service.call(key, `/v2/${path}`, { method: "POST", body });
const BROWSED = { event: "browse" };

test("the first answer from an older copy is refused on every route that reads ClickHouse, and Postgres goes on", async () => {
  expect(await post("audiencecount", BROWSED)).toMatchObject({ status: 200 });
  await older.putBack();
  const answers = [
    await post("audiencecount", BROWSED),
    await post("audiencecount", { ...BROWSED, sampleSize: 1 }),
    await read("contactactivities"),
    await read("contactactivities?return_count=true"),
    await read(`contacts/${cid(1)}/history`),
    await read("accountcontactattributes/color/values"),
    await read("health"),
  ];
  for (const { status, body, headers } of answers) {
    expect([status, body.code]).toEqual([503, "STORE_WENT_BACK"]);
    expect(body.message).toContain("headwater stores rebuild clickhouse");
    expect(Number(headers["retry-after"])).toBeGreaterThan(0);
  }
  expect((await read(`contacts/${cid(1)}`)).status).toBe(200);
  await newer.putBack();
  expect(await post("audiencecount", BROWSED)).toMatchObject({ status: 200 });
});

test("no answer is given from a copy that was put back between the query and its answer", async () => {
  const slow = withWitness(fresh.store, {
    async expectIntact() {
      await older.putBack();
      await witness.expectIntact();
    },
  });
  await expect(slow.query("SELECT count() FROM activities")).rejects.toMatchObject({ code: "STORE_WENT_BACK" });
});

test("an export waits while ClickHouse is an older copy, and its file holds everything when the newer one is back", async () => {
  const started = await post("contactactivityexport", {
    timeframe: { start: "2000-01-01", end: "2100-01-01" },
    exportType: "jsonl",
    selected_action_name: "browse",
  });
  expect(started.status).toBe(202);
  await older.putBack();
  let refusals = 0;
  const expectIntact = () =>
    witness.expectIntact().catch(async (error: unknown) => {
      refusals += 1;
      if (refusals === 3) await newer.putBack();
      throw error;
    });
  const clickHouse = withWitness(fresh.store, { expectIntact });
  const bulk = bulkWithWitness(service.bulk, { expectIntact });
  const files = createFileStore({ folder });
  for (let steps = 0; steps < 20; steps++) await workOff({ ...service, clickHouse, bulk }, started.body.jobId, files);
  expect(refusals).toBe(3);
  // The copy held one of the two.
  const job = (await read(`jobs/${started.body.jobId}`)).body;
  expect(job).toMatchObject({ status: "Done", completedItems: 2 });
});
