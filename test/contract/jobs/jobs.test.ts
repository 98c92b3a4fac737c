import { once } from "node:events";
import { createAccount } from "@headwater/accounts/accounts/accounts";
import { type Account, accountSettings } from "@headwater/contracts";
import { endJob, lockJob } from "@headwater/jobs/queue/jobs";
import { startJob } from "@headwater/jobs/queue/startJob";
import { defineJob, type JobKind } from "@headwater/jobs/runner/jobKind";
import { runJob } from "@headwater/jobs/runner/runJob";
import { createLogger, HeadwaterError, newAccountId } from "@headwater/kernel";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { gate } from "../stores/fresh.ts";
import { emptyWatermark, exportForm, type JobsWorld, newJob, startJobsWorld, TEST_JOB } from "./runningWorker.ts";

let world: JobsWorld;
beforeAll(async () => {
  world = await startJobsWorld();
  await world.postgres.execute({ text: "CREATE TABLE steps (job text NOT NULL, step int NOT NULL)" });
});
afterAll(() => world.drop());

const PATIENCE = { timeout: 40_000, interval: 50 };
const rest = { recordsPerFile: 0, timezone: "UTC", watermark: emptyWatermark, destination: { type: "kept" } };
const exportInput = { ...exportForm, ...rest, columns: [] };

const never = new AbortController().signal;

/** Writes a row in each step; `onStep` may do something on the way. */
function steps(count: number, onStep: (step: number) => unknown = () => undefined): JobKind {
  return defineJob({
    jobName: TEST_JOB,
    progress: z.object({ step: z.number() }),
    async step({ jobId, progress }, transaction) {
      const step = (progress?.step ?? 0) + 1;
      await transaction.execute({ text: "INSERT INTO steps VALUES ($1, $2)" }, [jobId, step]);
      await onStep(step);
      const report = { completedItems: step, result: { updated: step } };
      return step < count
        ? { kind: "more", progress: { step }, ...report }
        : { kind: "done", totalItems: count, ...report };
    },
  });
}

async function stepsOf(job: string): Promise<number[]> {
  const text = "SELECT step FROM steps WHERE job = $1 ORDER BY step";
  return (await world.postgres.query<{ step: number }>({ text }, [job])).map(({ step }) => step);
}

function queued(job: string) {
  return world.postgres.query<{ state: string }>(
    { text: "SELECT state::text FROM job_queue.job WHERE data->>'jobId' = $1 ORDER BY state" },
    [job],
  );
}

describe("starting", () => {
  test("a job that is rolled back is in no table and in no queue", async () => {
    let id = "";
    const rolledBack = world.postgres.transaction(async (transaction) => {
      id = await startJob(transaction, world.queue, newJob(world.account));
      throw new Error("changed my mind");
    });
    await expect(rolledBack).rejects.toThrow("changed my mind");
    await expect(world.job(id)).rejects.toThrow("no job");
    expect(await queued(id)).toEqual([]);
  });

  test("a job that is committed is run by a worker, step after step, once", async () => {
    const worker = await world.work([steps(3)]);
    const id = await world.start();
    await vi.waitFor(async () => expect((await world.job(id)).status).toBe("Done"), PATIENCE);
    expect(await stepsOf(id)).toEqual([1, 2, 3]);
    expect(await world.job(id)).toMatchObject({
      totalItems: 3,
      completedItems: 3,
      result: { updated: 3, rejected: 0 },
    });
    await vi.waitFor(async () => expect(await queued(id)).toEqual([{ state: "completed" }]), PATIENCE);
    await worker.stop();
  });
});

describe("a server that is refused", () => {
  const refused = new HeadwaterError({ code: "SERVICE_UNAVAILABLE", status: 503, publicMessage: "another Postgres" });

  /** Admits every server until it is told not to. */
  function switchable() {
    const asked = { isRefused: false, connections: 0 };
    const admit = async () => {
      asked.connections += 1;
      if (asked.isRefused) throw refused;
    };
    return { asked, admission: { admit, refusal: () => (asked.isRefused ? refused : undefined) } };
  }

  test("gives a worker no job, not even one that runs already and connects again", async () => {
    const { asked, admission } = switchable();
    asked.isRefused = true;
    const first = await world.start();
    await expect(world.work([steps(1)], 2, admission)).rejects.toThrow("another Postgres");
    expect(await queued(first)).toEqual([{ state: "created" }]);
    asked.isRefused = false;
    const worker = await world.work([steps(1)], 2, admission);
    await vi.waitFor(async () => expect((await world.job(first)).status).toBe("Done"), PATIENCE);
    asked.isRefused = true;
    const end = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'test-worker'";
    await world.postgres.query({ text: end });
    const before = asked.connections;
    const second = await world.start();
    await vi.waitFor(() => expect(asked.connections).toBeGreaterThan(before + 2), PATIENCE);
    expect(await queued(second)).toEqual([{ state: "created" }]);
    asked.isRefused = false;
    await vi.waitFor(async () => expect((await world.job(second)).status).toBe("Done"), PATIENCE);
    await worker.stop();
  });
});

describe("going on", () => {
  test("a worker that is stopped in the middle leaves the rest to the next one, and no step is done twice", async () => {
    const second = gate();
    const first = await world.work([steps(4, (step) => step === 2 && second.open())]);
    const id = await world.start();
    await second.opened;
    await first.stop();
    const next = await world.work([steps(4)]);
    await vi.waitFor(async () => expect((await world.job(id)).status).toBe("Done"), PATIENCE);
    expect(await stepsOf(id)).toEqual([1, 2, 3, 4]);
    await next.stop();
  });

  test("an attempt that slept while another one took the job writes nothing", async () => {
    const id = await world.start();
    const asleep = gate();
    const awake = gate();
    const sleeper: JobKind = {
      jobName: TEST_JOB,
      async prepare(work, ports) {
        asleep.open();
        await awake.opened;
        return steps(2).prepare(work, ports);
      },
    };
    const slept = runJob(world.runner([sleeper]), id, never);
    await asleep.opened;
    await runJob(world.runner([steps(2)]), id, never);
    awake.open();
    await slept;
    expect(await stepsOf(id)).toEqual([1, 2]);
    expect(await world.job(id)).toMatchObject({ status: "Done", attempt: 2 });
  });

  test("a job that has to wait leaves its worker, and comes back", async () => {
    const waiting: JobKind = defineJob({
      jobName: TEST_JOB,
      progress: z.object({ waited: z.boolean() }),
      async step({ progress }) {
        if (progress?.waited) return { kind: "done" };
        return { kind: "wait", progress: { waited: true }, seconds: 1 };
      },
    });
    const worker = await world.work([waiting]);
    const id = await world.start();
    await vi.waitFor(async () => expect((await world.job(id)).status).toBe("Done"), PATIENCE);
    expect((await world.job(id)).attempt).toBe(2);
    await worker.stop();
  });
});

describe("ending", () => {
  test("a cancel between two steps ends the job, and what was done stays", async () => {
    const id = await world.start();
    const cancelled = steps(5, async (step) => {
      if (step < 3) return;
      throw new HeadwaterError({ code: "SERVICE_UNAVAILABLE", status: 503, publicMessage: "away", retriable: true });
    });
    const running = runJob(world.runner([cancelled]), id, never);
    await vi.waitFor(async () => expect((await world.job(id)).completedItems).toBe(2), PATIENCE);
    await world.postgres.transaction(async (transaction) => {
      const job = await lockJob(transaction, id);
      if (job !== undefined) await endJob(transaction, job, { status: "Canceled", at: 1 });
    });
    await running;
    expect(await stepsOf(id)).toEqual([1, 2]);
    expect(await world.job(id)).toMatchObject({ status: "Canceled", completedItems: 2, endedAt: 1 });
    await runJob(world.runner([steps(5)]), id, never);
    expect(await stepsOf(id)).toEqual([1, 2]);
  });

  test("an error that no attempt would change fails the job at once and says why", async () => {
    const id = await world.start();
    const refusing = steps(2, () => {
      throw new HeadwaterError({ code: "VALIDATION_ERROR", status: 422, publicMessage: "not so" });
    });
    const lines: object[] = [];
    const logger = createLogger({ name: "test", destination: { write: (line) => void lines.push(JSON.parse(line)) } });
    await runJob({ ...world.runner([refusing]), logger }, id, never);
    expect(lines).toMatchObject([{ level: "info", code: "VALIDATION_ERROR", jobId: id, msg: "job refused" }]);
    expect(await stepsOf(id)).toEqual([]);
    expect(await world.job(id)).toMatchObject({
      status: "Failed",
      metadata: { error: { code: "VALIDATION_ERROR", message: "not so" } },
    });
  });

  test("a defect is tried again, and fails the job when it stays", async () => {
    const [healing, broken] = [await world.start(), await world.start()];
    let left = 2;
    const heals = steps(1, () => {
      left -= 1;
      if (left >= 0) throw new Error("a defect");
    });
    await runJob(world.runner([heals]), healing, never);
    expect(await world.job(healing)).toMatchObject({ status: "Done" });
    const stays = steps(1, () => Promise.reject(new Error("a defect")));
    await runJob(world.runner([stays]), broken, never);
    expect(await world.job(broken)).toMatchObject({
      status: "Failed",
      metadata: { error: { code: "INTERNAL_ERROR" } },
    });
    expect(await stepsOf(broken)).toEqual([]);
  });

  test("a job that kills every worker that takes it fails in the end", async () => {
    const id = await world.start();
    await world.postgres.execute({ text: "UPDATE jobs SET begun_in_vain = 20 WHERE id = $1" }, [id]);
    await runJob(world.runner([steps(1)]), id, never);
    expect(await world.job(id)).toMatchObject({ status: "Failed" });
  });
});

describe("queues", () => {
  test("exports that hold every slot leave short jobs theirs, and four of an account run at a time", async () => {
    const free = gate();
    let running = 0;
    const held: JobKind = {
      jobName: "ExportContacts",
      async prepare() {
        running += 1;
        await free.opened;
        running -= 1;
        return async () => ({ kind: "done" });
      },
    };
    const long = { ...newJob(world.account), jobName: "ExportContacts" as const, input: exportInput };
    const exports: string[] = [];
    for (let n = 0; n < 6; n++)
      exports.push(await world.postgres.transaction((transaction) => startJob(transaction, world.queue, long)));
    const worker = await world.work([held, steps(1)], 6);
    await vi.waitFor(() => expect(running).toBe(4), PATIENCE);
    const short = await world.start();
    await vi.waitFor(async () => expect((await world.job(short)).status).toBe("Done"), PATIENCE);
    expect(running).toBe(4);
    free.open();
    for (const id of exports) await vi.waitFor(async () => expect((await world.job(id)).status).toBe("Done"), PATIENCE);
    await worker.stop();
  });
});

describe("slots of accounts", () => {
  const endless = (jobName: typeof TEST_JOB | "ExportContacts", mine: number, running: Set<string>): JobKind => ({
    jobName,
    async prepare({ jobId, account, signal }) {
      if (account.number === mine) {
        running.add(jobId);
        await once(signal, "abort");
        throw signal.reason;
      }
      return async () => ({ kind: "done" });
    },
  });

  test.each([
    [TEST_JOB, { list: 1, version: "0".repeat(32) }],
    ["ExportContacts" as const, exportInput],
  ])("one account's jobs that never end leave a slot to another account: %s", async (jobName, input) => {
    const settings = accountSettings.parse({});
    const create = (name: string) => createAccount(world.postgres, { id: newAccountId(), name, settings });
    const [hostile, honest] = [await create("hostile"), await create("honest")];
    const startOf = (account: Account) =>
      world.postgres.transaction((transaction) =>
        startJob(transaction, world.queue, { ...newJob(account), jobName, input }),
      );
    const running = new Set<string>();
    for (let n = 0; n < 6; n++) await startOf(hostile);
    const worker = await world.work([endless(jobName, hostile.number, running)], 3);
    await vi.waitFor(() => expect(running.size).toBe(3), PATIENCE);
    for (let n = 0; n < 5; n++) {
      const id = await startOf(honest);
      const text = "SELECT status FROM jobs WHERE id = $1";
      await vi.waitFor(
        async () => expect(await world.postgres.query({ text }, [id])).toEqual([{ status: "Done" }]),
        PATIENCE,
      );
    }
    expect(running.size).toBe(3);
    await worker.stop();
    await world.postgres.execute({ text: "DELETE FROM job_queue.job" });
  });
});

describe("turns of accounts", () => {
  const startOf = (account: Account) =>
    world.postgres.transaction((transaction) => startJob(transaction, world.queue, newJob(account)));
  const anotherAccount = () =>
    createAccount(world.postgres, { id: newAccountId(), name: "another", settings: accountSettings.parse({}) });
  const isDone = async (id: string) => {
    const text = "SELECT status FROM jobs WHERE id = $1";
    return (await world.postgres.query<{ status: string }>({ text }, [id]))[0]?.status === "Done";
  };

  test("an account with a hundred jobs in the queue keeps another's first ones waiting for the running ones alone", async () => {
    const order: number[] = [];
    const kind = defineJob({
      jobName: TEST_JOB,
      progress: z.object({}),
      async step({ account }) {
        order.push(account.number);
        return { kind: "done" };
      },
    });
    const [hostile, honest] = [await anotherAccount(), await anotherAccount()];
    for (let n = 0; n < 100; n++) await startOf(hostile);
    for (let n = 0; n < 2; n++) await startOf(honest);
    const worker = await world.work([kind]);
    await vi.waitFor(() => expect(order.filter((account) => account === honest.number)).toHaveLength(2), PATIENCE);
    await worker.stop();
    expect(order.lastIndexOf(honest.number)).toBeLessThan(8);
    await world.postgres.execute({ text: "DELETE FROM job_queue.job" });
  });

  test("long jobs in every slot give way at the end of their step, and go on afterwards", async () => {
    const long = steps(60, () => new Promise((resolve) => setTimeout(resolve, 25)));
    const [busy, busyToo, honest] = [await anotherAccount(), await anotherAccount(), await anotherAccount()];
    const held = [await startOf(busy), await startOf(busy), await startOf(busyToo), await startOf(busy)];
    const worker = await world.work([long]);
    const running = "SELECT id FROM jobs WHERE status = 'Processing' AND completed_items > 2";
    await vi.waitFor(async () => expect(await world.postgres.query({ text: running })).toHaveLength(3), PATIENCE);
    const first = await startOf(honest);
    await vi.waitFor(async () => {
      const text = "SELECT completed_items AS done FROM jobs WHERE id = $1";
      const [row] = await world.postgres.query<{ done: number }>({ text }, [first]);
      expect(row?.done).toBeGreaterThan(0);
    }, PATIENCE);
    expect(await Promise.all(held.map(isDone))).toEqual(held.map(() => false));
    for (const id of [...held, first]) {
      await vi.waitFor(async () => expect(await isDone(id)).toBe(true), PATIENCE);
      expect(await stepsOf(id)).toEqual(Array.from({ length: 60 }, (_, n) => n + 1));
    }
    await worker.stop();
  }, 120_000);
});
