import { z } from "zod";
import { type Analysts, runJob, withAnalysts } from "../analytics/analysts.ts";
import type { Comparison } from "../audience/comparison.ts";
import { comparisons } from "../audience/criteria.ts";
import { SIZES, seedAudience } from "../audience/seed.ts";
import { type QueryUsage, withQueryUsage } from "../measure/queryUsage.ts";
import { toFigures } from "../measure/tally.ts";
import { median, quantileOf, toStretch } from "../measure/times.ts";
import { atMost, type Row } from "../report/row.ts";
import { callService } from "../service/callService.ts";
import type { Bench } from "../world/services.ts";
import { type World, withWorld } from "../world/world.ts";

/** Each is asked so often, after once that does not count. */
const TURNS = 3;
const AIM_RATIO = 1.3;
const AIM_BESIDE_EXPORT = 2;
/** Windows begin at each query's own "now": a few events lie between two of them. */
const COUNT_TOLERANCE = 0.0005;
/** The past that is asked for next to the present. */
const PAST_MS = 30 * 86_400_000;

const answerSchema = z.object({ count: z.coerce.number() });

/** `POST /v2/audiencecount` next to SQL written by hand, on the same tables and in turns; then while activities are exported. */
export async function audience(bench: Bench): Promise<Row[]> {
  return withWorld(bench, "audience", async (world) => {
    const { contacts, activities } = SIZES[bench.scale];
    bench.say(
      `audience: making ${contacts.toLocaleString("en")} contacts, ${activities.toLocaleString("en")} activities`,
    );
    await seedAudience(world, bench.scale);
    return withAnalysts(bench, world, async (analysts) => {
      const run = { world, ...analysts };
      const compared: Compared[] = [];
      for (const comparison of comparisons) compared.push(await compare(bench, run, comparison));
      const rows = toRows(compared, run.service.peakMemoryMib());
      return [...rows, await besideExport(bench, run, compared)];
    });
  });
}

interface Run extends Analysts {
  readonly world: World;
}

interface Turn {
  readonly ms: number;
  readonly count: number;
  readonly usage: QueryUsage;
}

interface Compared {
  readonly name: string;
  readonly ours: readonly Turn[];
  readonly byHand: readonly Turn[];
  readonly past: readonly Turn[];
}

async function compare(bench: Bench, run: Run, comparison: Comparison): Promise<Compared> {
  const { name } = comparison;
  const ours: Turn[] = [];
  const byHand: Turn[] = [];
  const past: Turn[] = [];
  for (let turn = 0; turn <= TURNS; turn++) {
    const mine = await timed(run, () => countByService(run, comparison));
    const other = await timed(run, () => countByHand(run, comparison));
    refuseDifference(comparison, mine.count, other.count);
    const asOf = new Date(Date.now() - PAST_MS).toISOString();
    const before = await timed(run, () => countByService(run, comparison, { asOf }));
    if (turn === 0) continue;
    ours.push(mine);
    byHand.push(other);
    past.push(before);
  }
  const compared = { name, ours, byHand, past };
  bench.say(`audience, ${name}: ${noteOf(compared)}`);
  return compared;
}

async function timed({ world }: Run, count: () => Promise<number>): Promise<Turn> {
  const { result, usage } = await withQueryUsage(world.clickhouse, async () => {
    const startedAtMs = performance.now();
    const counted = await count();
    return { count: counted, ms: performance.now() - startedAtMs };
  });
  return { ...result, usage };
}

async function countByService(
  { world, service }: Run,
  { criteria }: Comparison,
  options: { readonly asOf?: string } = {},
): Promise<number> {
  const body = { criteria, ...options };
  return answerSchema.parse(await callService(world, { port: service.port, path: "/v2/audiencecount", body })).count;
}

async function countByHand({ world }: Run, { name, sql }: Comparison): Promise<number> {
  const [row] = await world.clickhouse.query(sql, { account: world.account.number });
  if (row === undefined) throw new Error(`${name} by hand answers no row`);
  return answerSchema.parse(row).count;
}

function refuseDifference({ name }: Comparison, ours: number, byHand: number): void {
  if (ours > 0 && Math.abs(ours - byHand) <= 1 + ours * COUNT_TOLERANCE) return;
  throw new Error(`${name}: ours counts ${ours} contacts and the SQL written by hand ${byHand}`);
}

/** Counts the same while a job exports all activities, one after the other. */
async function besideExport(bench: Bench, run: Run, alone: readonly Compared[]): Promise<Row> {
  const exporting = exportUntilStopped(run);
  const besideMs: number[] = [];
  try {
    for (let turn = 0; turn < TURNS; turn++)
      for (const comparison of comparisons) {
        const startedAtMs = performance.now();
        await countByService(run, comparison);
        besideMs.push(performance.now() - startedAtMs);
      }
  } finally {
    exporting.stop();
  }
  const exports = await exporting.ended;
  const aloneMs = alone.flatMap(({ ours }) => msOf(ours));
  const [p95, p95Alone] = [quantileOf(besideMs, 0.95), quantileOf(aloneMs, 0.95)];
  const note = `p95 ${p95.toFixed(0)} ms beside ${exports} exports of all activities, ${p95Alone.toFixed(0)} ms alone`;
  bench.say(`audience, beside an export: ${note}`);
  return {
    ...{
      path: "audience",
      what: "all criteria, while activities are exported",
      ours: toFigures([toStretch(besideMs)]),
    },
    limits: [
      { name: "without an export (ratio of p95)", figures: toFigures([toStretch(aloneMs)]), ratio: p95 / p95Alone },
    ],
    aim: atMost(p95 / p95Alone, AIM_BESIDE_EXPORT, "times its p95"),
    notes: [note],
  };
}

const wholeExport = {
  path: "/v2/contactactivityexport",
  body: { timeframe: { start: "2000-01-01", end: "2100-01-01" }, exportType: "csv" },
};

interface Exporting {
  /** Lets the export that runs be the last one. */
  stop(): void;
  /** Number of exports. Rejects when one failed. */
  readonly ended: Promise<number>;
}

function exportUntilStopped(run: Run): Exporting {
  let isStopped = false;
  const goOn = async () => {
    let exports = 0;
    for (; !isStopped; exports++) await runJob(run.world, run, wholeExport);
    return exports;
  };
  const ended = goOn();
  // It is awaited when all is counted, and may fail before.
  ended.catch(() => undefined);
  return {
    stop: () => {
      isStopped = true;
    },
    ended,
  };
}

const msOf = (turns: readonly Turn[]) => turns.map(({ ms }) => ms);
const cpuOf = (turns: readonly Turn[]) => median(turns.map(({ usage }) => usage.cpuMs));
const rowsOf = (turns: readonly Turn[]) => median(turns.map(({ usage }) => usage.rows)) / 1_000_000;

function noteOf({ ours, byHand, past }: Omit<Compared, "name">): string {
  const side = (turns: readonly Turn[]) =>
    `${median(msOf(turns)).toFixed(0)} ms, CPU ${cpuOf(turns).toFixed(0)} ms, ${rowsOf(turns).toFixed(1)} M rows`;
  return `${side(ours)}; by hand ${side(byHand)}; as of 30 days ago ${side(past)}`;
}

function figuresOf(turns: readonly Turn[], memoryMib?: number) {
  const cpuSeconds = turns.reduce((sum, { usage }) => sum + usage.cpuMs, 0) / 1_000;
  return toFigures([{ ...toStretch(msOf(turns)), cpuSeconds }], memoryMib);
}

function toRows(compared: readonly Compared[], memoryMib: number): Row[] {
  const summary = summaryOf(compared);
  return compared.map(({ name, ours, byHand, past }, index) => {
    const ratio = median(msOf(ours)) / median(msOf(byHand));
    const notes = [noteOf({ ours, byHand, past }), ...(index === compared.length - 1 ? summary : [])];
    return {
      path: "audience",
      what: name,
      ours: figuresOf(ours, memoryMib),
      limits: [{ name: "SQL written by hand", figures: figuresOf(byHand), ratio }],
      aim: atMost(ratio, AIM_RATIO, "times its time"),
      notes,
    };
  });
}

function summaryOf(compared: readonly Compared[]): string[] {
  const times = (of: "ours" | "byHand" | "past") => {
    const ms = compared.flatMap((one) => msOf(one[of]));
    return `p50 ${quantileOf(ms, 0.5).toFixed(0)} ms, p95 ${quantileOf(ms, 0.95).toFixed(0)} ms`;
  };
  const ratios = (of: (one: Compared) => number) => {
    const all = compared.map(of);
    return `p50 ${quantileOf(all, 0.5).toFixed(2)}, worst ${Math.max(...all).toFixed(2)}`;
  };
  return [
    `all: ${times("ours")}; by hand ${times("byHand")}; as of 30 days ago ${times("past")}`,
    `ours by hand's: time ${ratios(({ ours, byHand }) => median(msOf(ours)) / median(msOf(byHand)))}; CPU ${ratios(({ ours, byHand }) => cpuOf(ours) / cpuOf(byHand))}`,
    `the past by the present: CPU ${ratios(({ ours, past }) => cpuOf(past) / cpuOf(ours))}`,
  ];
}
