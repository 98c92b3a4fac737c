import { expect, test } from "vitest";
import { createRandom, type Random } from "./harness/random.ts";
import { AT_START, sendFaults } from "./sends/faults.ts";
import { forgetIntents } from "./sends/gates.ts";
import { type RoundReport, runRound } from "./sends/rounds.ts";
import type { SendRound } from "./sends/sendRound.ts";
import { countStored } from "./sends/stored.ts";
import { runTriggers, type TriggersReport } from "./sends/triggers.ts";
import { startSendsGround } from "./sends/world.ts";

const HOURS_MS = 3 * 3_600_000;
const { env } = process;
const isLong = env.HEADWATER_FAULTS === "long";
const number = (text: string | undefined, otherwise: number): number => Number(text || otherwise);

/** The short form: the worst instants of a window, in a message of each kind and in a canceled one. Sleeps and clocks that jump take minutes: the long form has them. */
const SHORT: readonly SendRound[] = [
  {
    classification: "promotional",
    faults: ["kill behind the dot", "kill before the intent", "kill before the outcome", "kill a worker"],
    isCanceled: false,
    isDisturbed: true,
  },
  {
    classification: "transactional",
    faults: ["kill behind the dot", "answers of all kinds", "kill kafka", "kill postgres"],
    isCanceled: false,
    isDisturbed: false,
  },
  {
    classification: "promotional",
    faults: ["kill after the intent"],
    isCanceled: true,
    isDisturbed: false,
  },
];
const FAULTS_PER_ROUND = 3;
const LONG_ROUNDS = 30;
const contacts = number(env.FAULTS_CONTACTS, isLong ? 10_000 : 600);
/** Templates are triggered in the long form alone: their runs come by the minute. */
const TRIGGERS = isLong ? [{ strikes: 12, people: 200 }] : [];
/** Fewer messages and people have fewer kills. */
const isWhole = isLong && !env.FAULTS_ROUNDS && !env.FAULTS_CONTACTS;
const KILLS_MIN = 60;
/** Rate that leaves a short run time for its faults. */
const SLOW_PER_SECOND = 120;

/** Every fault comes before any comes again, in messages of both kinds. */
function drawRounds(random: Random): SendRound[] {
  const names = Object.keys(sendFaults);
  let left: string[] = [];
  const next = () => {
    if (left.length === 0) left = [...names];
    return left.splice(random.int(left.length), 1)[0] ?? "";
  };
  return Array.from({ length: LONG_ROUNDS }, (_, index) => {
    const isCanceled = random.chance(0.1);
    return {
      classification: index % 3 === 2 ? ("transactional" as const) : ("promotional" as const),
      // Nobody comes to a fault of a message that is canceled, and a cancel comes too late to one that goes on meanwhile.
      faults: isCanceled ? ["kill behind the dot"] : inOrder(Array.from({ length: FAULTS_PER_ROUND }, next)),
      isCanceled,
      isDisturbed: !isCanceled && random.chance(0.7),
    };
  });
}

/** A fault that meets the start of a message comes first. */
function inOrder(faults: readonly string[]): string[] {
  return faults.toSorted((one, other) => Number(other === AT_START) - Number(one === AT_START));
}

/** FAULTS_SEED replays a run; FAULTS_ROUNDS and FAULTS_CONTACTS bound it. */
test("no kill sends a message twice, loses one, or reports an untrue outcome", { timeout: HOURS_MS }, async () => {
  const seed = number(env.FAULTS_SEED, Math.floor(Math.random() * 1_000_000));
  const random = createRandom(seed);
  const say = (line: string) => process.stderr.write(`sends, seed ${seed}: ${line}\n`);
  const drawn = isLong ? drawRounds(random.fork("rounds")) : SHORT;
  const rounds = drawn.slice(0, number(env.FAULTS_ROUNDS, drawn.length));
  const on = await startSendsGround("senders-killed", {
    ...{ count: contacts, say },
    perSecond: isLong ? undefined : SLOW_PER_SECOND,
  });
  const reports: RoundReport[] = [];
  try {
    for (const round of rounds) {
      const report = await runRound(on, round, random);
      reports.push(report);
      const { delivery, mails, windows, tookMs, differences } = report;
      say(`${round.classification}, ${round.faults.join(", ")} (${(tookMs / 1_000).toFixed(1)} s): ${mails} mails`);
      say(
        `  ${JSON.stringify(delivery)}, ${windows} windows lost${differences.slice(0, 20).map((one) => `\n  ${one}`)}`,
      );
    }
    const triggered: TriggersReport[] = [];
    for (const plan of TRIGGERS) {
      const report = await runTriggers(on, { ...plan, random: random.fork("triggers") });
      triggered.push(report);
      say(`templates triggered: ${report.sends} sends, ${report.runs} runs, ${report.mails} mails`);
    }
    const { compared, differences } = await countStored(on);
    const all = [...reports, ...triggered];
    const kills = all.reduce((sum, report) => sum + report.kills, 0);
    say(`${kills} kills, ${all.reduce((sum, { mails }) => sum + mails, 0)} mails, ${compared} activities compared`);
    expect(on.apps.lastWords()).toEqual([]);
    const found = [...all.flatMap((report) => report.differences), ...differences];
    if (isWhole) expect(kills).toBeGreaterThanOrEqual(KILLS_MIN);
    expect(found.slice(0, 50), `replay with FAULTS_SEED=${seed}`).toEqual([]);
    expect(compared).toBeGreaterThan(contacts);
    await forgetIntents(on.patient);
    const kill = { classification: "promotional", faults: ["kill behind the dot"] } as const;
    const careless = await runRound(on, { ...kill, isCanceled: false, isDisturbed: false }, random);
    expect(careless.differences.some((one) => one.endsWith("came 2 times"))).toBe(true);
  } finally {
    await on.stop();
  }
});
