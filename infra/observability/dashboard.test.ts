import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { parse } from "yaml";

const root = fileURLToPath(new URL("../../", import.meta.url));
const dashboard = readFileSync(new URL("grafana/headwater.json", import.meta.url), "utf8");

/** Every metric that our sources name; a histogram has three series of its own. */
function metricsOfTheCode(): Set<string> {
  const files = globSync(["apps/*/src/**/*.ts", "packages/*/src/**/*.ts"], { cwd: root });
  const sources = files
    .filter((file) => !file.endsWith(".test.ts"))
    .map((file) => readFileSync(`${root}${file}`, "utf8"));
  const names = sources.flatMap((source) => [...source.matchAll(/name: "(headwater_\w+)"/g)].map(([, name]) => name));
  return new Set(names.filter((name) => name !== undefined));
}

test("the dashboard shows every metric that is measured, and none that is not", () => {
  const view = [...dashboard.matchAll(/headwater_\w+/g)].map(([name]) => name.replace(/_(?:bucket|count|sum)$/, ""));
  expect(new Set(view)).toEqual(metricsOfTheCode());
});

test("the dashboard asks the data source that is set up for it", () => {
  const sources: unknown = parse(readFileSync(new URL("grafana/datasources.yaml", import.meta.url), "utf8"));
  const uids = new Set([...dashboard.matchAll(/"uid": "(headwater-\w+)"/g)].map(([, uid]) => uid));
  expect(sources).toMatchObject({ datasources: [...uids].map((uid) => ({ uid })) });
});

test("Prometheus asks every app", () => {
  const settings: unknown = parse(readFileSync(new URL("prometheus.yml", import.meta.url), "utf8"));
  const targets = globSync("apps/*/src/config.ts", { cwd: root }).map((file) => `${file.split("/")[1]}:8424`);
  expect(
    JSON.stringify(settings)
      .match(/\w+:8424/g)
      ?.sort(),
  ).toEqual(targets.sort());
});

test.each(["sent", "deferred", "bounced", "unknown"])(
  "the dashboard shows messages that are %s, by transport and domain",
  (outcome) => {
    expect(dashboard).toContain(
      `sum by (transport, domain) (rate(headwater_sends_total{outcome=\\"${outcome}\\"}[1m]))`,
    );
  },
);

test("the dashboard shows how long sends have been due, by transport and domain", () => {
  expect(dashboard).toContain("max by (transport, domain) (headwater_sends_oldest_due_seconds)");
});
