import { writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { runCompany } from "./hostile/company.ts";

const HOUR_MS = 3_600_000;
const SHORT = {
  ...{ restarts: 1, honest: 2, hostileCallers: 2, slowSockets: 50 },
  ...{ measuredMs: 0, honestRestMs: 25, betweenRestartsMs: 3_000 },
} as const;
const LONG = {
  ...{ restarts: 20, honest: 9, hostileCallers: 8, slowSockets: 1_000 },
  ...{ measuredMs: 60_000, honestRestMs: 250, betweenRestartsMs: 8_000 },
} as const;

const { env } = process;
const fallback = env.HEADWATER_FAULTS === "long" ? LONG : SHORT;

/**
 * FAULTS_SEED repeats what is sent; COMPANY_RESTARTS changes how long it goes on; FAULTS_REPORT keeps the report. The long form says
 * how long calls of nine honest accounts take alone, next to the hostile one, and next to all of it; no test fails for a time.
 */
test("no hostile account, stranger or poison record stops, slows down or falsifies honest accounts", {
  timeout: HOUR_MS,
}, async () => {
  const seed = Number(env.FAULTS_SEED || Math.floor(Math.random() * 1_000_000));
  const report = await runCompany({
    ...fallback,
    name: "hostile-company",
    seed,
    restarts: Number(env.COMPANY_RESTARTS || fallback.restarts),
    onProgress: (line) => process.stderr.write(`hostile company, seed ${seed}: ${line}\n`),
  });
  process.stderr.write(`\n${JSON.stringify(report, undefined, 2)}\n\n`);
  if (env.FAULTS_REPORT) writeFileSync(`${env.FAULTS_REPORT}.company`, `${JSON.stringify(report, undefined, 2)}\n`);
  expect(report.differences, `replay with FAULTS_SEED=${seed}`).toEqual([]);
  expect(report.compared).toBeGreaterThan(0);
  expect(report.honest.accepted).toBeGreaterThan(0);
  expect(report.poison).toBeGreaterThan(0);
  expect(report.honestTimes.besideAll.calls).toBeGreaterThan(0);
});
