import { type Stretch, toFigures } from "../measure/tally.ts";
import { takeTurns } from "../measure/turns.ts";
import { startWorker } from "../processes/worker.ts";
import type { Row } from "../report/row.ts";
import { bareResult } from "../tasks/bareTasks.ts";
import type { Bench } from "../world/services.ts";

const AIM_RATIO = 1.3;
const AIM_PER_CORE_SECOND = 700;

/** A letter of 30 KB rendered, tracked, put together and signed, next to the libraries one after the other. */
export async function compose(bench: Bench): Promise<Row[]> {
  const [mine, bare] = await Promise.all([startWorker("messageLoop.ts"), startWorker("messageLoop.ts")]);
  const { seconds } = bench;
  try {
    const [ours = [], libraries = []]: Stretch[][] = await takeTurns(bench, "compose", [
      { name: "ours", stretch: () => mine.run({ kind: "ours", seconds }, bareResult) },
      { name: "libraries", isLimit: true, stretch: () => bare.run({ kind: "libraries", seconds }, bareResult) },
    ]);
    return [toRow(ours, libraries)];
  } finally {
    await Promise.all([mine.stop(), bare.stop()]);
  }
}

function toRow(mine: readonly Stretch[], libraries: readonly Stretch[]): Row {
  const [ours, limit] = [toFigures(mine), toFigures(libraries)];
  const perCoreSecond = ours.eventsPerCoreSecond ?? 0;
  const ratio = perCoreSecond / (limit.eventsPerCoreSecond ?? Number.NaN);
  return {
    path: "compose",
    what: "letters of 30 KB: rendered, tracked, composed, signed",
    ours,
    limits: [{ name: "LiquidJS, htmlparser2, html-to-text and nodemailer", figures: limit, ratio }],
    aim: {
      text: `≥ ${AIM_RATIO} of the libraries and ≥ ${AIM_PER_CORE_SECOND} per core-s`,
      isMet: ratio >= AIM_RATIO && perCoreSecond >= AIM_PER_CORE_SECOND,
    },
  };
}
