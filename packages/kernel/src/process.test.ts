import { EventEmitter, once } from "node:events";
import { expect, test } from "vitest";
import { createLogger } from "./logger.ts";
import { createProcess } from "./process.ts";

const config = {
  LOG_LEVEL: "info",
  HEADWATER_OPERATIONS_HOST: "127.0.0.1",
  HEADWATER_OPERATIONS_PORT: 0,
} as const;

/** A process with a life cycle of its own, whose exit is an event. */
function harness() {
  const handle = new EventEmitter();
  const lines: { msg: string; operationsPort?: number; part?: string }[] = [];
  const logger = createLogger({
    name: "test",
    destination: { write: (line: string) => void lines.push(JSON.parse(line)) },
  });
  const process = {
    on: (event: string, listener: (argument: unknown) => void) => handle.on(event, listener),
    exit: (code: number) => handle.emit("exited", code),
  };
  return { handle, lines, built: createProcess({ name: "test", config, logger, process }) };
}

const readyOf = async (port: number | undefined) => {
  const answer = await fetch(`http://127.0.0.1:${port}/ready`);
  return { status: answer.status, body: await answer.json() };
};

test("a process names itself once, for logs, clients and traces", () => {
  expect(harness().built.applicationName).toBe("headwater-test");
});

test("/ready answers from the checks once every part runs, and SIGTERM ends the process with 0", async () => {
  const { handle, lines, built } = harness();
  const order: string[] = [];
  built.lifecycle.use("pool", { start: () => order.push("start pool"), stop: () => order.push("stop pool") });
  await built.start(() => ({ pool: { ok: true } }));
  const { operationsPort } = lines.find(({ msg }) => msg === "test started") ?? {};
  expect(await readyOf(operationsPort)).toEqual({ status: 200, body: { ok: true, checks: { pool: { ok: true } } } });
  const exited = once(handle, "exited");
  handle.emit("SIGTERM");
  expect(await exited).toEqual([0]);
  expect(order).toEqual(["start pool", "stop pool"]);
  expect(lines.filter(({ msg }) => msg === "stopped").map(({ part }) => part)).toEqual([
    "pool",
    "operations",
    "tracing",
  ]);
});

test("a part that cannot start ends the process with 1, and it never says that it started", async () => {
  const { handle, lines, built } = harness();
  built.lifecycle.use("pool", { start: () => Promise.reject(new Error("away")) });
  const exited = once(handle, "exited");
  await built.start(() => ({}));
  expect(await exited).toEqual([1]);
  expect(lines.map(({ msg }) => msg)).not.toContain("test started");
});
