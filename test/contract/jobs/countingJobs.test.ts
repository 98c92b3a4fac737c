import { endJob, lockJob } from "@headwater/jobs/queue/jobs";
import { startJob } from "@headwater/jobs/queue/startJob";
import type { JobKind, StepEnd } from "@headwater/jobs/runner/jobKind";
import { runJob } from "@headwater/jobs/runner/runJob";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { gate } from "../stores/fresh.ts";
import { type JobsWorld, newJob, startJobsWorld } from "./runningWorker.ts";

let world: JobsWorld;
beforeAll(async () => {
  world = await startJobsWorld();
});
afterAll(() => world.drop());

const never = new AbortController().signal;

describe("a canceled import", () => {
  test("with rows in the log counts on, also with another worker, and tells of its end then", async () => {
    const writes = gate();
    const startedImport = { ...newJob(world.account), jobName: "ImportContacts" as const, input: {} };
    const notices = [{ kind: "webhook" as const, target: "sealed" }];
    const id = await world.postgres.transaction((transaction) =>
      startJob(transaction, world.queue, { ...startedImport, notices }),
    );
    const kindOf = (counts: (isCanceled: boolean) => StepEnd<unknown>): JobKind => ({
      jobName: "ImportContacts",
      async prepare({ progress, canceled }) {
        if (progress !== undefined && !canceled.aborted) {
          writes.open();
          await new Promise((resolve) => canceled.addEventListener("abort", resolve));
          return async () => counts(false);
        }
        return async () => (progress === undefined ? { kind: "more", progress: { phase: "rows" } } : counts(true));
      },
    });
    const first = kindOf((isCanceled) => {
      const progress = { phase: "rows" };
      return isCanceled
        ? { kind: "wait", progress, seconds: 1, completedItems: 60 }
        : { kind: "more", progress, completedItems: 50 };
    });
    const running = runJob(world.runner([first]), id, never);
    await writes.opened;
    await world.postgres.transaction(async (transaction) => {
      const job = await lockJob(transaction, id);
      if (job !== undefined) await endJob(transaction, job, { status: "Canceled", at: job.startedAt ?? 1 });
    });
    await running;
    const dueOf = async () =>
      (await world.postgres.query({ text: 'SELECT next_at AS "at" FROM job_notices WHERE job = $1' }, [id]))[0];
    const endsOf = async () =>
      world.postgres.query(
        { text: "SELECT status, details::text FROM account_log WHERE job_id = $1 AND status = 'Canceled'" },
        [id],
      );
    expect(await world.job(id)).toMatchObject({ status: "Canceled", isCounting: true, completedItems: 60, attempt: 1 });
    expect([await dueOf(), await endsOf()]).toEqual([{ at: null }, []]);
    const last = kindOf(() => ({
      kind: "failed",
      error: { code: "VALIDATION_ERROR", message: "" },
      result: { inserted: 70 },
    }));
    await runJob(world.runner([last]), id, never);
    const ended = await world.job(id);
    expect(ended).toMatchObject({ status: "Canceled", isCounting: false, result: { inserted: 70 }, attempt: 2 });
    expect([ended.endedAt, ended.metadata]).toEqual([ended.startedAt, {}]);
    expect(await dueOf()).toEqual({ at: expect.any(Number) });
    expect(await endsOf()).toMatchObject([{ details: expect.stringContaining("70") }]);
    await runJob(world.runner([last]), id, never);
    expect((await world.job(id)).attempt).toBe(2);
  });

  test("stays canceled with the counts that it has when no worker can count on", async () => {
    const startedImport = { ...newJob(world.account), jobName: "ImportContacts" as const, input: {} };
    const id = await world.postgres.transaction((transaction) => startJob(transaction, world.queue, startedImport));
    const text =
      "UPDATE jobs SET status = 'Canceled', is_counting = true, ended_at = 1, begun_in_vain = 20 WHERE id = $1";
    await world.postgres.execute({ text }, [id]);
    await runJob(world.runner([]), id, never);
    expect(await world.job(id)).toMatchObject({ status: "Canceled", isCounting: false, metadata: {} });
  });
});
