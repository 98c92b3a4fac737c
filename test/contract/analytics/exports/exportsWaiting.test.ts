import { createJobWorker } from "@headwater/jobs/queue/jobWorker";
import { afterAll, beforeAll, expect, test } from "vitest";
import { workOff } from "../../jobs/workOff.ts";
import { logger } from "../../stores/fresh.ts";
import { type ExportWorld, startExportWorld } from "./exportWorld.ts";

/** Long jobs of one account that may wait, as analytics.md 5 has it. */
const WAITING_MAX = 500;
/** Requests on their way at once. */
const AT_ONCE = 20;
const OVER = { status: 429, body: { code: "RATE_LIMITED" }, headers: { "retry-after": expect.anything() } };

let world: ExportWorld;
beforeAll(async () => {
  world = await startExportWorld();
});
afterAll(() => world.drop());

const ask = () => world.post("contactexports", { fields: ["cID"] });

/** Asks for many exports at once. @returns the ids of those that were started. */
async function askFor(count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let asked = 0; asked < count; asked += AT_ONCE) {
    const answers = await Promise.all(Array.from({ length: Math.min(AT_ONCE, count - asked) }, ask));
    const wrong = answers.filter(({ status }) => status !== 202);
    for (const answer of wrong) expect(answer).toMatchObject(OVER);
    for (const { status, body } of answers) if (status === 202) ids.push(body.jobId);
  }
  return ids;
}

async function stored(): Promise<number> {
  const text = "SELECT count(*) AS jobs FROM jobs WHERE account = $1";
  const [row] = await world.service.postgres.query<{ jobs: number }>({ text }, [world.account.number]);
  return row?.jobs ?? 0;
}

/** Lets a worker do some of the jobs. @returns how many it took from the queue. */
async function workSome(): Promise<number> {
  let taken = 0;
  const worker = createJobWorker({
    url: world.service.postgresUrl,
    applicationName: "test-worker",
    jobsConcurrently: 2,
    run: async (jobId) => {
      taken += 1;
      await workOff(world.service, jobId, world.folder);
    },
    logger,
  });
  await worker.start?.();
  await expect.poll(() => taken).toBeGreaterThan(3);
  await worker.stop?.();
  return taken;
}

test("500 exports of an account wait, whoever asks at once; the next one is 429, also after a restart, until there is room", async () => {
  const ids = [...(await askFor(WAITING_MAX - AT_ONCE / 2)), ...(await askFor(AT_ONCE))];
  expect(ids).toHaveLength(WAITING_MAX);
  await world.service.restart();
  expect(await askFor(1)).toEqual([]);
  const timeframe = { start: "2026-01-01", end: "2026-02-01" };
  expect(await world.post("contactactivityexport", { timeframe })).toMatchObject(OVER);
  expect(await stored()).toBe(WAITING_MAX);
  const another = await world.service.account();
  const key = await world.service.key(another.account, { scopes: ["read", "write", "admin"] });
  const body = { fields: ["cID"] };
  expect(await world.service.call(key, "/v2/contactexports", { method: "POST", body })).toMatchObject({ status: 202 });
  const canceled = await world.service.call(world.key, `/v2/jobs/${ids.at(-1)}/cancel`, { method: "PUT" });
  expect(canceled).toMatchObject({ status: 200 });
  expect(await askFor(AT_ONCE)).toHaveLength(1);
  const taken = await workSome();
  const capacity = await askFor(taken + AT_ONCE);
  expect(capacity.length).toBeGreaterThan(0);
  expect(capacity.length).toBeLessThanOrEqual(taken);
  expect(await askFor(1)).toEqual([]);
});
