import { DEPENDENCY_TIMEOUT_MS } from "@headwater/kernel";
import { expect, test } from "vitest";
import { createHealth } from "./health.ts";

const there = { ping: async () => undefined };
const away = { ping: async () => Promise.reject(new Error("no answer")) };
const log = async () => [];
const isReady = async (parts: Parameters<typeof createHealth>[0]) =>
  Object.values(await createHealth(parts)()).every(({ ok }) => ok);

test("the service is ready for what Postgres serves, with ClickHouse and Kafka away", async () => {
  expect(await isReady({ postgres: there, clickHouse: there, highWatermarks: log })).toBe(true);
  const highWatermarks = () => Promise.reject(new Error("no broker"));
  expect(await isReady({ postgres: there, clickHouse: away, highWatermarks })).toBe(true);
  expect(await createHealth({ postgres: there, clickHouse: away, highWatermarks })()).toMatchObject({
    clickhouse: { detail: "unavailable: its routes answer 503" },
  });
});

test("the service is not ready without Postgres", async () => {
  expect(await isReady({ postgres: away, clickHouse: there, highWatermarks: log })).toBe(false);
});

test("a dependency that hangs takes half a second of the answer, and no more beside another one", async () => {
  const hanging = { ping: () => new Promise<void>(() => undefined) };
  const highWatermarks = () => new Promise<never>(() => undefined);
  const startedMs = performance.now();
  const checks = await createHealth({ postgres: there, clickHouse: hanging, highWatermarks })();
  expect(checks).toMatchObject({
    postgres: { ok: true },
    clickhouse: { isDegraded: true },
    kafka: { isDegraded: true },
  });
  expect(performance.now() - startedMs).toBeLessThan(2 * DEPENDENCY_TIMEOUT_MS);
});
