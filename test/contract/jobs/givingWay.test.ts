import { startJob } from "@headwater/jobs/queue/startJob";
import { defineJob, type JobKind } from "@headwater/jobs/runner/jobKind";
import { newAccountId } from "@headwater/kernel";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { z } from "zod";
import { type JobsWorld, newJob, startJobsWorld, TEST_JOB } from "./runningWorker.ts";

let world: JobsWorld;
beforeAll(async () => {
  world = await startJobsWorld();
});
afterAll(() => world.drop());

const PATIENCE = { timeout: 40_000, interval: 50 };

test("jobs that look again and again take no turn from a new one of their account", async () => {
  let isOver = false;
  const looking: JobKind = defineJob({
    jobName: "SendBatchMessage",
    progress: z.object({}),
    step: async () => (isOver ? { kind: "done" } : { kind: "wait", progress: {}, seconds: 0, givesWay: true }),
  });
  const quick: JobKind = defineJob({
    jobName: TEST_JOB,
    progress: z.object({}),
    step: async () => ({ kind: "done" }),
  });
  const checks = await Promise.all(
    Array.from({ length: 8 }, () => {
      const input = { message: newAccountId() };
      const job = { ...newJob(world.account), jobName: "SendBatchMessage" as const, input };
      return world.postgres.transaction((transaction) => startJob(transaction, world.queue, job));
    }),
  );
  const worker = await world.work([looking, quick], 2);
  const statuses = async () => (await Promise.all(checks.map(async (id) => (await world.job(id)).status))).toSorted();
  await vi.waitFor(async () => expect(await statuses()).toEqual(checks.map(() => "Processing")), PATIENCE);
  const id = await world.start();
  await vi.waitFor(async () => expect((await world.job(id)).status).toBe("Done"), PATIENCE);
  isOver = true;
  await vi.waitFor(async () => expect(await statuses()).toEqual(checks.map(() => "Done")), PATIENCE);
  await worker.stop();
});
