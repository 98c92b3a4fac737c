import { readFile } from "node:fs/promises";
import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { HeadwaterError } from "./errors.ts";
import { retryForever, withTimeout } from "./retry.ts";

const never = new AbortController().signal;
const refused = new HeadwaterError({ code: "BAD_REQUEST", status: 400, publicMessage: "no" });

function standStill(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

function failing(times: number) {
  let calls = 0;
  return async () => {
    calls += 1;
    if (calls <= times) {
      throw new Error(`failure ${calls}`);
    }
    return calls;
  };
}

test("a retry goes on until the call succeeds, and reports every failure", async () => {
  const attempts: number[] = [];
  const options = {
    signal: never,
    minMs: 1,
    maxMs: 2,
    onRetry: ({ attempt }: { attempt: number }) => attempts.push(attempt),
  };
  expect(await retryForever(failing(3), options)).toBe(4);
  expect(attempts).toEqual([1, 2, 3]);
});

test("waits of a retry double up to the bound and are spread over the whole of it", async () => {
  for (const [random, waits] of [
    [() => 0.999999, [0, 1, 3, 4, 4]],
    [() => 0, [0, 0, 0, 0, 0]],
  ] as const) {
    const seen: number[] = [];
    const onRetry = ({ waitMs }: { waitMs: number }) => seen.push(waitMs);
    await retryForever(failing(5), { signal: never, minMs: 1, maxMs: 5, onRetry, random });
    expect(seen).toEqual(waits);
  }
});

test("an error that says it is not retriable ends it at once", async () => {
  const attempt = retryForever(() => Promise.reject(refused), {
    signal: never,
    minMs: 1,
    maxMs: 1,
    onRetry: () => expect.fail(),
  });
  await expect(attempt).rejects.toBe(refused);
});

test("a fired signal ends a long wait with its own reason", async () => {
  const stop = new AbortController();
  const reason = new Error("stopping");
  const onRetry = () => stop.abort(reason);
  const attempt = retryForever(failing(9), {
    signal: stop.signal,
    minMs: 60_000,
    maxMs: 60_000,
    onRetry,
    random: () => 0.9,
  });
  await expect(attempt).rejects.toBe(reason);
});

test("a call in time gives its result", async () => {
  expect(await withTimeout(async () => "done", 10_000)).toBe("done");
});

test("a call that does not listen is given up when its time is up, and its signal fires", async () => {
  let seen: AbortSignal | undefined;
  const call = withTimeout((signal) => {
    seen = signal;
    return new Promise(() => undefined);
  }, 5);
  await expect(call).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE", status: 503, retriable: true });
  expect(seen?.aborted).toBe(true);
});

test("a caller's signal ends the call with its reason, and one that fired before lets it not begin", async () => {
  const stop = new AbortController();
  const reason = new Error("client hung up");
  const call = withTimeout(() => new Promise(() => undefined), 60_000, stop.signal);
  stop.abort(reason);
  await expect(call).rejects.toBe(reason);
  await expect(withTimeout(async () => expect.fail("it began"), 60_000, stop.signal)).rejects.toBe(reason);
});

test("an answer that came while the process stood still is read before its time counts as up", async () => {
  // Timers come next, and what arrived after them.
  await setImmediate();
  const call = withTimeout(() => readFile(import.meta.filename, "utf8"), 800);
  standStill(1_000);
  expect(await call).toContain("standStill");
});

test("an error of the call itself is passed on", async () => {
  await expect(withTimeout(() => Promise.reject(refused), 60_000)).rejects.toBe(refused);
});
