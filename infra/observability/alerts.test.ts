import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";

const rule = z.object({
  alert: z.string(),
  expr: z.string(),
  annotations: z.object({ summary: z.string(), description: z.string() }),
});
const file = z.object({ groups: z.array(z.object({ rules: z.array(rule) })) });
const read = (name: string) => readFileSync(new URL(name, import.meta.url), "utf8");
const rules = file.parse(parse(read("alerts.yml"))).groups.flatMap((group) => group.rules);

test("every alert is about metrics that the dashboard shows, which are those of the code", () => {
  const view = new Set(read("grafana/headwater.json").match(/headwater_\w+/g));
  const used = rules.flatMap(({ expr }) => expr.match(/headwater_\w+/g) ?? []);
  expect(used.length).toBeGreaterThanOrEqual(rules.length);
  expect(used.filter((name) => !view.has(name))).toEqual([]);
});

test("Prometheus loads the alerts, and the one of the relay names the transaction", () => {
  expect(read("prometheus.yml")).toContain("rule_files: [alerts.yml]");
  expect(read("../compose.yaml")).toContain("./observability/alerts.yml:/etc/prometheus/alerts.yml:ro");
  const held = rules.find(({ alert }) => alert === "HeadwaterRelayHeld");
  expect(held?.annotations.summary).toMatch(/labels\.application.*labels\.pid/);
});
