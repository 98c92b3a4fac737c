import { expect, test } from "vitest";
import { createMetrics } from "./metrics.ts";

test("counters, gauges and histograms appear in the Prometheus text with their labels", async () => {
  const metrics = createMetrics({ processMetrics: false });
  const records = metrics.counter({ name: "records_total", help: "records", labels: ["operation"] });
  records.inc({ operation: "upsertOrder" }, 3);
  records.labels({ operation: "upsertOrder" }).inc();
  metrics.gauge({ name: "lag_records", help: "lag", collect: (gauge) => gauge.set(7) });
  metrics.histogram({ name: "wait_seconds", help: "wait", buckets: [0.1, 1] }).observe(0.5);
  const text = await metrics.render();
  expect(text).toContain('records_total{operation="upsertOrder"} 4');
  expect(text).toContain("lag_records 7");
  expect(text).toContain('wait_seconds_bucket{le="0.1"} 0');
  expect(text).toContain('wait_seconds_bucket{le="1"} 1');
  expect(metrics.contentType).toContain("text/plain");
});

test("the process's own metrics are there unless switched off", async () => {
  const text = await createMetrics().render();
  expect(text).toContain("process_cpu_seconds_total");
  expect(text).toMatch(/^headwater_event_loop_turn_max_seconds \d/m);
  expect(await createMetrics({ processMetrics: false }).render()).not.toContain("process_cpu");
});

test("two sets of metrics do not mix, and a name registered twice throws", async () => {
  const one = createMetrics({ processMetrics: false });
  const other = createMetrics({ processMetrics: false });
  one.counter({ name: "a_total", help: "a" }).inc();
  expect(await other.render()).not.toContain("a_total");
  expect(() => one.counter({ name: "a_total", help: "a" })).toThrow(/already been registered/);
});

test("a counter with known labels has all its series from the start, with the value 0", async () => {
  const metrics = createMetrics({ processMetrics: false });
  const values = { group: ["state", "history"], code: ["AWAY"] };
  const counter = metrics.counter({ name: "retries_total", help: "Retries.", labels: ["group", "code"], values });
  counter.inc({ group: "history", code: "AWAY" });
  const text = await metrics.render();
  expect(text).toContain('retries_total{group="state",code="AWAY"} 0');
  expect(text).toContain('retries_total{group="history",code="AWAY"} 1');
});
