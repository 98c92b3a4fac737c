import { EventEmitter } from "node:events";
import { expect, test } from "vitest";
import { createLifecycle, type Part } from "./lifecycle.ts";
import { createLogger } from "./logger.ts";

/** A life cycle on a process of its own, whose exit is recorded instead of made. */
function harness({ drainMs = 0 } = {}) {
  const events: string[] = [];
  const handle = new EventEmitter();
  const exited = Promise.withResolvers<number>();
  const process = {
    on: (event: string, listener: (argument: unknown) => void) => handle.on(event, listener),
    exit: (code: number) => {
      events.push(`exit ${code}`);
      exited.resolve(code);
    },
  };
  const lines: string[] = [];
  const logger = createLogger({ name: "test", destination: { write: (line: string) => lines.push(line) } });
  const lifecycle = createLifecycle(logger, { process, stopTimeoutMs: 20, drainMs });
  const part = (name: string, more: Part = {}): Part => ({
    start: () => void events.push(`start ${name}`),
    stop: () => void events.push(`stop ${name}`),
    ...more,
  });
  return { events, handle, exited: exited.promise, lines, lifecycle, part };
}

test.each(["SIGTERM", "SIGINT"])(
  "parts start in order, and %s stops them in reverse and exits with 0",
  async (signal) => {
    const { events, handle, exited, lifecycle, part } = harness();
    lifecycle.use("pool", part("pool"));
    lifecycle.use("server", part("server"));
    await lifecycle.start();
    handle.emit(signal);
    await exited;
    expect(events).toEqual(["start pool", "start server", "stop server", "stop pool", "exit 0"]);
  },
);

test("a part that cannot start stops the ones before it and exits with 1", async () => {
  const { events, lifecycle, part, lines } = harness();
  lifecycle.use("pool", part("pool"));
  lifecycle.use("server", part("server", { start: () => Promise.reject(new Error("port taken")) }));
  lifecycle.use("consumer", part("consumer"));
  await lifecycle.start();
  expect(events).toEqual(["start pool", "stop server", "stop pool", "exit 1"]);
  expect(lines.join("")).toContain("port taken");
});

test("a part that hangs while it stops is named, the others still stop, and the exit code is 1", async () => {
  const { events, lifecycle, part, lines } = harness();
  lifecycle.use("pool", part("pool"));
  lifecycle.use("stuck consumer", part("consumer", { stop: () => new Promise(() => undefined) }));
  await lifecycle.start();
  await lifecycle.stop("test");
  expect(events).toEqual(["start pool", "start consumer", "stop pool", "exit 1"]);
  expect(lines.join("")).toContain("stuck consumer");
});

test("a part that throws while it stops keeps none of the others from stopping", async () => {
  const { events, lifecycle, part } = harness();
  lifecycle.use("pool", part("pool"));
  lifecycle.use("relay", { stop: () => Promise.reject(new Error("broker away")) });
  await lifecycle.start();
  await lifecycle.stop("test");
  expect(events.slice(-2)).toEqual(["stop pool", "exit 1"]);
});

test("a second signal exits at once", async () => {
  const { events, handle, exited, lifecycle, part } = harness();
  lifecycle.use("stuck", part("stuck", { stop: () => new Promise(() => undefined), stopTimeoutMs: 60_000 }));
  await lifecycle.start();
  handle.emit("SIGTERM");
  handle.emit("SIGTERM");
  expect(await exited).toBe(1);
  expect(events).toEqual(["start stuck", "exit 1"]);
});

test("a signal in the middle of a start stops what was started and starts nothing more", async () => {
  const { events, handle, exited, lifecycle, part } = harness();
  lifecycle.use("pool", part("pool", { start: () => void handle.emit("SIGTERM") }));
  lifecycle.use("server", part("server"));
  await lifecycle.start();
  expect(await exited).toBe(0);
  expect(events).toEqual(["stop pool", "exit 0"]);
});

test.each(["uncaughtException", "unhandledRejection"])(
  "%s is logged and exits with 1 without stopping anything",
  async (event) => {
    const { events, handle, lifecycle, part, lines } = harness();
    lifecycle.use("pool", part("pool"));
    await lifecycle.start();
    handle.emit(event, new Error("a bug"));
    expect(events).toEqual(["start pool", "exit 1"]);
    expect(lines.join("")).toContain("a bug");
    expect(lines.join("")).toContain(event);
  },
);

test("a stop is announced at once, and the parts go on for the drain", async () => {
  const { events, handle, exited, lifecycle, part } = harness({ drainMs: 50 });
  lifecycle.use("server", part("server"));
  await lifecycle.start();
  expect(lifecycle.stage()).toBe("running");
  handle.emit("SIGTERM");
  expect([lifecycle.stage(), events]).toEqual(["stopping", ["start server"]]);
  await exited;
  expect(events).toEqual(["start server", "stop server", "exit 0"]);
});
