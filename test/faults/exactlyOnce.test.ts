import { writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { runScenario } from "./harness/scenario.ts";
import { summaryOf } from "./harness/summary.ts";

const HOUR_MS = 3_600_000;
const SHORT = { faults: 4, records: 3_500, recordsPerSecond: 150 } as const;
const LONG = { faults: 40, records: 200_000, recordsPerSecond: 600 } as const;

/** FAULTS_SEED replays a run; FAULTS_COUNT, FAULTS_RECORDS and FAULTS_PER_SECOND change its size, FAULTS_REPORT keeps it. */
const { env } = process;
const fallback = env.HEADWATER_FAULTS === "long" ? LONG : SHORT;
const number = (text: string | undefined, otherwise: number): number => Number(text || otherwise);

test("no kill of any process loses or doubles one record", { timeout: HOUR_MS }, async () => {
  const seed = number(env.FAULTS_SEED, Math.floor(Math.random() * 1_000_000));
  const say = (line: string) => process.stderr.write(`faults, seed ${seed}: ${line}\n`);
  const report = await runScenario({
    name: "exactly-once",
    seed,
    faults: number(env.FAULTS_COUNT, fallback.faults),
    records: number(env.FAULTS_RECORDS, fallback.records),
    recordsPerSecond: number(env.FAULTS_PER_SECOND, fallback.recordsPerSecond),
    onProgress: say,
  });
  process.stderr.write(`\n${summaryOf(report)}\n\n`);
  if (env.FAULTS_REPORT) writeFileSync(env.FAULTS_REPORT, `${JSON.stringify(report, undefined, 2)}\n`);
  expect(report.differences, `replay with FAULTS_SEED=${seed}`).toEqual([]);
  // What was counted, and the faults that leave no other trace, were there.
  expect(report.compared).toBeGreaterThan(report.records.accepted);
  const swallowed = report.faults.filter(({ name }) => name === "swallow answers of kafka");
  expect(report.swallowedBytes > 0).toBe(swallowed.length > 0);
  expect(Object.keys(report.processes)).toEqual(expect.arrayContaining(["projector-0", "ingress-0", "senders"]));
});
