import { afterEach, expect, test } from "vitest";
import type { LifecycleStage } from "./lifecycle.ts";
import { createMetrics } from "./metrics.ts";
import { type HealthCheck, type OperationsServer, startOperations } from "./operationsServer.ts";

let server: OperationsServer | undefined;

afterEach(async () => {
  await server?.stop();
  server = undefined;
});

async function serve(health: () => Record<string, HealthCheck> | Promise<Record<string, HealthCheck>>) {
  const metrics = createMetrics({ processMetrics: false });
  metrics.counter({ name: "a_total", help: "a" }).inc(5);
  server = await startOperations({ host: "127.0.0.1", port: 0, health, metrics });
  return `http://127.0.0.1:${server.port}`;
}

test("/ready is 200 with all checks when every one is ok", async () => {
  const url = await serve(() => ({ kafka: { ok: true }, postgres: { ok: true, detail: "3 idle" } }));
  const answer = await fetch(`${url}/ready`);
  expect(answer.status).toBe(200);
  expect(await answer.json()).toEqual({
    ok: true,
    checks: { kafka: { ok: true }, postgres: { ok: true, detail: "3 idle" } },
  });
});

test("/ready is 503 and names the check that is not ok, while /health stays 200", async () => {
  const url = await serve(async () => ({ kafka: { ok: false, detail: "no broker" } }));
  const answer = await fetch(`${url}/ready`);
  expect(answer.status).toBe(503);
  expect(await answer.json()).toMatchObject({ ok: false, checks: { kafka: { detail: "no broker" } } });
  expect((await fetch(`${url}/health`)).status).toBe(200);
});

test("/ready is 200 while parts do not go on, and names them", async () => {
  const url = await serve(() => ({
    postgres: { ok: true },
    clickhouse: { ok: true, isDegraded: true, detail: "away" },
  }));
  const answer = await fetch(`${url}/ready`);
  expect([answer.status, await answer.json()]).toMatchObject([200, { ok: true, degraded: ["clickhouse"] }]);
});

test("/metrics is Prometheus text, a query changes nothing, and other paths are 404", async () => {
  const url = await serve(() => ({}));
  const answer = await fetch(`${url}/metrics?x=1`);
  expect(answer.headers.get("content-type")).toContain("text/plain");
  expect(await answer.text()).toContain("a_total 5");
  expect((await fetch(`${url}/else`)).status).toBe(404);
});

test("/ready is 503 until every part has started and as soon as a stop begins, though every check is ok", async () => {
  let stage: LifecycleStage = "starting";
  const metrics = createMetrics({ processMetrics: false });
  const health = () => ({ postgres: { ok: true } });
  server = await startOperations({ host: "127.0.0.1", port: 0, health, metrics, stage: () => stage });
  const url = `http://127.0.0.1:${server.port}`;
  const early = await fetch(`${url}/ready`);
  expect([early.status, await early.json()]).toEqual([
    503,
    { ok: false, checks: { postgres: { ok: true }, running: { ok: false, detail: "starting" } } },
  ]);
  stage = "running";
  expect((await fetch(`${url}/ready`)).status).toBe(200);
  stage = "stopping";
  const answer = await fetch(`${url}/ready`);
  expect([answer.status, await answer.json()]).toMatchObject([503, { ok: false }]);
  expect((await fetch(`${url}/health`)).status).toBe(200);
});

test("a check that throws is a 500 and not a crash", async () => {
  const url = await serve(() => Promise.reject(new Error("a bug")));
  expect((await fetch(`${url}/ready`)).status).toBe(500);
  expect((await fetch(`${url}/health`)).status).toBe(200);
});

test("a port that is taken rejects", async () => {
  await serve(() => ({}));
  const port = server?.port ?? 0;
  const metrics = createMetrics({ processMetrics: false });
  await expect(startOperations({ host: "127.0.0.1", port, health: () => ({}), metrics })).rejects.toThrow(/EADDRINUSE/);
});
