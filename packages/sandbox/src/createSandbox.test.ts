import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createSandbox, type Sandbox } from "./createSandbox.ts";
import type { TestTasks } from "./testTasks.ts";

const MIB = 1024 * 1024;
const limits = { deadlineMs: 5_000 };
const entry = new URL("./testTasks.ts", import.meta.url);

let ended: string[];
let sandbox: Sandbox<TestTasks>;

beforeEach(() => {
  ended = [];
  sandbox = createSandbox<TestTasks>({
    name: "test",
    what: "tasks",
    entry,
    memoryBytesMax: 128 * MIB,
    outputBytesMax: 4 * MIB,
    onEnded: ({ flow, task, reason }) => ended.push(`${flow} ${task} ${reason}`),
  });
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await sandbox.close();
});

const isRunning = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test("a task answers with its output, or with what it threw", async () => {
  expect(await sandbox.run(1, "add", { one: 1, other: 2 }, limits)).toEqual({ kind: "done", output: 3 });
  expect(await sandbox.run(1, "fail", "no such thing", limits)).toEqual({ kind: "failed", message: "no such thing" });
  expect(ended).toEqual([]);
});

describe("a task that", () => {
  test("never ends is ended at its deadline, and so is a process that does not answer", async () => {
    expect(await sandbox.run(1, "loop", null, { deadlineMs: 100 })).toEqual({ kind: "ended", reason: "deadline" });
    expect(ended).toEqual(["1 loop deadline"]);
  });

  test("loops while its host owes it an answer is ended at its total time", async () => {
    const host = { next: () => new Promise<never>(() => undefined) };
    const outcome = await sandbox.run(1, "loopMeanwhile", null, { ...limits, totalMs: 200, host });
    expect(outcome).toEqual({ kind: "ended", reason: "deadline" });
    expect(await sandbox.run(1, "add", { one: 1, other: 2 }, { ...limits, totalMs: 60_000 })).toMatchObject({
      output: 3,
    });
  });

  test("loops while its host owes it an answer is ended by its processor time", async () => {
    const host = { next: () => new Promise<never>(() => undefined) };
    const outcome = await sandbox.run(1, "loopMeanwhile", null, { deadlineMs: 100, host });
    expect(outcome).toEqual({ kind: "ended", reason: "deadline" });
  });

  test("allocates 4 GB at once does not get them", async () => {
    expect(await sandbox.run(1, "allocate", 4e9, limits)).toEqual({ kind: "ended", reason: "memory" });
  });

  test.each([1, 16])("grows by %i MiB at a time is ended for its memory", async (chunk) => {
    expect(await sandbox.run(1, "grow", chunk, { deadlineMs: 30_000 })).toEqual({ kind: "ended", reason: "memory" });
  });

  test("fills the heap is ended for its memory", async () => {
    expect(await sandbox.run(1, "growHeap", null, { deadlineMs: 30_000 })).toEqual({ kind: "ended", reason: "memory" });
  });

  test("takes its process with it ends alone", async () => {
    expect(await sandbox.run(1, "crash", null, limits)).toEqual({ kind: "ended", reason: "crashed" });
    expect(await sandbox.run(1, "exit", 0, limits)).toEqual({ kind: "ended", reason: "crashed" });
    expect(await sandbox.run(1, "add", { one: 1, other: 2 }, limits)).toEqual({ kind: "done", output: 3 });
  });

  test("answers more than it may is ended for its output", async () => {
    expect(await sandbox.run(1, "large", MIB, limits)).toMatchObject({ kind: "done" });
    expect(await sandbox.run(1, "large", 5 * MIB, limits)).toEqual({ kind: "ended", reason: "output" });
  });

  test("wants files, the network, secrets or other processes gets none, but the authorities that are trusted", async () => {
    for (const name of ["NODE_USE_SYSTEM_CA", "SSL_CERT_FILE", "SSL_CERT_DIR"]) vi.stubEnv(name, undefined);
    vi.stubEnv("NODE_EXTRA_CA_CERTS", "/etc/authorities.pem");
    const path = join(tmpdir(), "headwater-sandbox-wrote");
    expect(await sandbox.run(1, "write", path, limits)).toMatchObject({ kind: "failed" });
    expect(existsSync(path)).toBe(false);
    const server = createServer((_, response) => response.end()).listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    expect(await sandbox.run(1, "connect", port, limits)).toMatchObject({ kind: "failed" });
    await new Promise((resolve) => server.close(resolve));
    expect(await sandbox.run(1, "environment", null, limits)).toEqual({
      kind: "done",
      output: { variables: ["TZ", "NODE_EXTRA_CA_CERTS"], cwd: "/" },
    });
  });
});

test("neighbours of a task that ends its process in one batch have their own outcomes", async () => {
  const tasks = Array.from({ length: 10 }, (_, one) => sandbox.run(1, "add", { one, other: 1 }, limits));
  const crash = sandbox.run(1, "crash", null, limits);
  const after = Array.from({ length: 10 }, (_, one) => sandbox.run(1, "add", { one, other: 2 }, limits));
  expect(await crash).toEqual({ kind: "ended", reason: "crashed" });
  expect(await Promise.all([...tasks, ...after])).toEqual(
    [1, 2].flatMap((other) => Array.from({ length: 10 }, (_, one) => ({ kind: "done", output: one + other }))),
  );
  expect(ended).toEqual(["1 crash crashed"]);
});

test("one account never holds the last process, and neither do several slow ones", async () => {
  await Promise.all([1, 2].map((flow) => sandbox.run(flow, "loop", null, { deadlineMs: 260 })));
  const order: string[] = [];
  const slow = [1, 2, 1, 2].map((flow) =>
    sandbox.run(flow, "loop", null, { deadlineMs: 600 }).then(() => order.push("slow")),
  );
  const honest = Array.from({ length: 20 }, (_, one) =>
    sandbox.run(3, "add", { one, other: 1 }, limits).then(() => order.push("honest")),
  );
  await Promise.all([...slow, ...honest]);
  expect(order.slice(0, 20)).toEqual(Array.from({ length: 20 }, () => "honest"));
});

test("an account whose task ended its process waits for the next one, others have the one that is ready", async () => {
  const pidOf = (flow: number) => sandbox.run(flow, "pid", null, limits);
  const ready = await pidOf(3);
  await Promise.all([sandbox.run(3, "pause", 50, limits), sandbox.run(1, "loop", null, { deadlineMs: 260 })]);
  expect(await pidOf(1)).not.toEqual(ready);
  expect(await pidOf(3)).toEqual(ready);
});

test("an account whose task took long by the clock alone does not wait for slow ones", async () => {
  expect(await sandbox.run(1, "pause", 400, limits)).toMatchObject({ kind: "done" });
  await sandbox.run(2, "loop", null, { deadlineMs: 260 });
  const order: string[] = [];
  const slow = sandbox.run(2, "loop", null, { deadlineMs: 600 }).then(() => order.push("slow"));
  const add = sandbox.run(1, "add", { one: 1, other: 2 }, limits).then(() => order.push("other"));
  await Promise.all([slow, add]);
  expect(order).toEqual(["other", "slow"]);
});

test("an account with too many tasks waiting is refused, others are not", async () => {
  const loops = Array.from({ length: 200 }, () =>
    sandbox.run(1, "loop", null, { deadlineMs: 200 }).catch((error) => error.code),
  );
  expect(await sandbox.run(2, "add", { one: 1, other: 2 }, limits)).toEqual({ kind: "done", output: 3 });
  await sandbox.close();
  const outcomes = await Promise.all(loops);
  expect(outcomes).toContain("RATE_LIMITED");
});

test("a task may ask its host, whose time is none of its own", async () => {
  let left = 3;
  const next = async (): Promise<number | null> => {
    await new Promise((resolve) => setTimeout(resolve, 400));
    left -= 1;
    return left >= 0 ? 2 : null;
  };
  const outcome = await sandbox.run(1, "sum", null, { deadlineMs: 300, host: { next } });
  expect(outcome).toEqual({ kind: "done", output: 6 });
  const broken = { next: () => Promise.reject(new Error("the source is gone")) };
  expect(await sandbox.run(1, "sum", null, { deadlineMs: 300, host: broken })).toEqual({
    kind: "failed",
    message: "the source is gone",
  });
  expect(await sandbox.run(1, "sum", null, { deadlineMs: 300 })).toMatchObject({ kind: "failed" });
});

/** Longer than a process may take on the clock for `SHORT`, the grace of its parent included. */
const SLOW_MS = 2_500;
const SHORT = { deadlineMs: 100 };
const slow = () => new Promise((resolve) => setTimeout(resolve, SLOW_MS, "slow"));

test("a task that waits for one of two answers has all the time of its host", async () => {
  const host = { slow, fast: async () => "fast" };
  const outcome = await sandbox.run(1, "askBoth", null, { ...SHORT, host });
  expect(outcome).toEqual({ kind: "done", output: ["slow", "fast"] });
});

test("an answer that comes after its task has ended ends nothing", async () => {
  const left = await sandbox.run(1, "leaveQuestion", null, { ...SHORT, host: { slow: async () => "late" } });
  await slow();
  expect(await sandbox.run(1, "pid", null, limits)).toEqual(left);
});

test("closing ends the processes and the tasks that are under way", async () => {
  const found = await sandbox.run(1, "pid", null, limits);
  const pid = found.kind === "done" ? found.output : 0;
  expect(isRunning(pid)).toBe(true);
  const loop = sandbox.run(1, "loop", null, { deadlineMs: 60_000 });
  await expect.poll(() => sandbox.run(2, "add", { one: 1, other: 1 }, limits)).toMatchObject({ kind: "done" });
  await sandbox.close();
  expect(await loop).toEqual({ kind: "ended", reason: "crashed" });
  expect(isRunning(pid)).toBe(false);
  await expect(sandbox.run(1, "pid", null, limits)).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
});

test("a process ends with its parent, also while a task holds it", async () => {
  const program = `
    import { createSandbox } from ${JSON.stringify(new URL("./index.ts", import.meta.url).href)};
    const entry = new URL(${JSON.stringify(entry.href)});
    const sandbox = createSandbox({ name: "test", what: "tasks", entry });
    const { output } = await sandbox.run(1, "pid", null, { deadlineMs: 60_000 });
    sandbox.run(1, "loop", null, { deadlineMs: 60_000 });
    console.log(output);
  `;
  const parent = spawn(process.execPath, ["--input-type=module", "-e", program], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = await once(parent.stdout, "data");
  const pid = Number(String(line));
  expect(isRunning(pid)).toBe(true);
  parent.kill("SIGKILL");
  await expect.poll(() => isRunning(pid)).toBe(false);
});
