import { expect, test } from "vitest";
import { createRandom } from "./harness/random.ts";
import type { Counting } from "./jobs/count.ts";
import { jobFaults } from "./jobs/faults.ts";
import { beginRounds, drawRounds, type Round, type RoundReport, runRound } from "./jobs/rounds.ts";
import { startJobsGround } from "./jobs/world.ts";

const HOURS_MS = 3 * 3_600_000;
const { env } = process;
const isLong = env.HEADWATER_FAULTS === "long";
const number = (text: string | undefined, otherwise: number): number => Number(text || otherwise);

/** The short form. Workers are killed by `test/pipeline` and `test/destinations`, too. */
const SHORT: readonly Round[] = [
  { fault: "kill clickhouse", at: { export: "sinks", trend: "sinks", import: "first" }, isAfter: true },
  { fault: "storage drops the last part", at: { export: "stage", trend: "stage", import: "settle" }, isAfter: false },
];
const sizes = isLong ? { contacts: 24_000, orders: 2_000 } : { contacts: 1_500, orders: 500 };

/** FAULTS_SEED replays a run; FAULTS_ONLY names a fault, FAULTS_FROM and FAULTS_ROUNDS bound the rounds: all are every fault in every phase. */
test("no kill loses, doubles or half finishes an export, a trend or an import", { timeout: HOURS_MS }, async () => {
  const seed = number(env.FAULTS_SEED, Math.floor(Math.random() * 1_000_000));
  const random = createRandom(seed);
  const say = (line: string) => process.stderr.write(`jobs, seed ${seed}: ${line}\n`);
  const faults = jobFaults.filter((fault) => env.FAULTS_ONLY === undefined || fault === env.FAULTS_ONLY);
  const drawn = isLong ? drawRounds(faults, random.fork("rounds")) : SHORT;
  const from = number(env.FAULTS_FROM, 0);
  const rounds = drawn.slice(from, from + number(env.FAULTS_ROUNDS, drawn.length));
  const on = await startJobsGround("jobs-killed", say);
  const counting: Counting = { sizes, trend: undefined, compared: 0 };
  const reports: RoundReport[] = [];
  try {
    const timeframe = await beginRounds(on, counting);
    for (const [index, round] of rounds.entries()) {
      const report = await runRound(on, counting, { round, number: index + 1, timeframe, random });
      reports.push(report);
      const { fault, at, isAfter, tookMs, differences } = report;
      const where = `${isAfter ? "after" : "at the end of"} ${Object.values(at).join(", ")}`;
      say(`${fault} ${where} (${(tookMs / 1_000).toFixed(1)} s) ${differences.join("\n")}`);
    }
    const going = await on.ground.postgres.query({
      text: "SELECT id, status FROM jobs WHERE status NOT IN ('Done', 'Failed')",
    });
    expect(going).toEqual([]);
    expect(on.apps.lastWords()).toEqual([]);
  } finally {
    await on.stop();
  }
  say(`${reports.length} rounds, ${counting.compared} values compared`);
  expect(
    reports.flatMap(({ differences }) => differences),
    `replay with FAULTS_SEED=${seed}`,
  ).toEqual([]);
  expect(counting.compared).toBeGreaterThan(rounds.length * sizes.contacts);
});
