import { createJobQueue } from "@headwater/jobs/queue/jobQueue";
import { systemClock } from "@headwater/kernel";
import { serveService } from "@headwater/service/testService";
import { expect, test } from "vitest";
import { dataJobs, pageRuns } from "./postgres.ts";
import { stepRecurringRuns } from "./recurringRuns.ts";

const service = serveService([]);
const at = (text: string) => Date.parse(text);
const NO_RUNS = { direction: "asc", skip: 0, rowsMax: 100 } as const;

/** Stores a recurring data job with a source that nobody reads here. @returns its steps and its runs. */
async function recurring(key: string, schedule: { readonly cron: string; readonly timezone: string }, nextAt: string) {
  const { postgres, account } = service;
  const daId = key.padEnd(24, "0");
  const members = {
    ...schedule,
    ...({ daId, name: key, kind: "recurring", apiTrigger: false, enabled: true, nextAt: at(nextAt) } as const),
    ...({ mapping: '{"to":{"a":1}}', targetType: "contacts", targetKey: null, destination: null } as const),
    source: JSON.stringify({ outside: { type: "https" }, fileName: "rows.jsonl", last4: { url: "json" } }),
  };
  await postgres.transaction((transaction) =>
    dataJobs.insert(transaction, { account: account.number, key }, members, at(nextAt)),
  );
  return {
    async step(now: string) {
      const clock = { ...systemClock, nowMs: () => at(now), refresh: async () => undefined };
      await stepRecurringRuns({ postgres, queue: createJobQueue(), clock });
    },
    runs: () => pageRuns(postgres, { account: account.number, daId }, NO_RUNS),
    async markers() {
      return (await this.runs()).map(({ marker }) => marker);
    },
    async end(status: string) {
      const text = "UPDATE jobs SET status = $2 WHERE account = $1";
      await postgres.execute({ text }, [account.number, status]);
    },
    read: () => dataJobs.read(postgres, { account: account.number, key }),
  };
}

test("a tick starts one run, whose marker is in the zone of the schedule", async () => {
  const job = await recurring("a1", { cron: "20 9 * * *", timezone: "Europe/Berlin" }, "2026-06-18T07:20:00Z");
  await job.step("2026-06-18T07:19:59Z");
  expect(await job.markers()).toEqual([]);
  await Promise.all([job.step("2026-06-18T07:20:00Z"), job.step("2026-06-18T07:20:01Z")]);
  await job.step("2026-06-18T07:20:02Z");
  expect(await job.markers()).toEqual(["rm202606180920"]);
  expect(await job.read()).toMatchObject({
    nextAt: at("2026-06-19T07:20:00Z"),
    lastRunMarker: "rm202606180920",
    status: "pending",
  });
});

test("after an outage the latest tick that was missed runs, once", async () => {
  const job = await recurring("a2", { cron: "0 * * * *", timezone: "UTC" }, "2026-06-18T07:00:00Z");
  await job.step("2026-06-20T11:30:00Z");
  await job.step("2026-06-20T11:31:00Z");
  expect(await job.markers()).toEqual(["rm202606201100"]);
});

test("a tick waits for the run before it, and then is the latest one", async () => {
  const job = await recurring("a3", { cron: "*/10 * * * *", timezone: "UTC" }, "2026-06-18T07:00:00Z");
  await job.step("2026-06-18T07:00:00Z");
  await job.step("2026-06-18T07:35:00Z");
  expect(await job.markers()).toEqual(["rm202606180700"]);
  await job.end("Done");
  await job.step("2026-06-18T07:36:00Z");
  expect(await job.markers()).toEqual(["rm202606180700", "rm202606180730"]);
});

test("a marker that is taken gets its seconds: a time that clocks bring twice", async () => {
  const job = await recurring("a4", { cron: "30 * * * *", timezone: "Europe/Berlin" }, "2026-10-25T00:30:00Z");
  await job.step("2026-10-25T00:30:00Z");
  await job.end("Done");
  await job.step("2026-10-25T01:30:00Z");
  expect(await job.markers()).toEqual(["rm202610250230", "rm20261025023000"]);
});
