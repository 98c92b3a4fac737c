import { z } from "zod";
import { type Comparison, comparisons } from "../audience/criteria.ts";
import { ACTIVITIES, CONTACTS, seedAudience } from "../audience/seed.ts";
import { toFigures } from "../measure/tally.ts";
import { median, toStretch } from "../measure/times.ts";
import { type App, startApp } from "../processes/app.ts";
import { atMost, type Row } from "../report/row.ts";
import type { Bench } from "../world/services.ts";
import { type World, withWorld } from "../world/world.ts";

/** Each is asked so often, after once that does not count. */
const TURNS = 5;
const AIM_RATIO = 1.3;
/** Windows begin at each query's own "now": a few events lie between two of them. */
const COUNT_TOLERANCE = 0.0005;

const answerSchema = z.object({ count: z.number() });

/** `POST /v2/audiencecount` beside SQL written by hand, on the same tables and in turns. */
export async function audience(bench: Bench): Promise<Row[]> {
  return withWorld(bench, "audience", async (world) => {
    bench.say(
      `audience: making ${CONTACTS.toLocaleString("en")} contacts and ${ACTIVITIES.toLocaleString("en")} activities`,
    );
    await seedAudience(world);
    const service = await startApp(bench, "service", world.env);
    try {
      const rows: Row[] = [];
      for (const comparison of comparisons) rows.push(await compare(bench, { world, service }, comparison));
      return withWorst(rows);
    } finally {
      await service.stop();
    }
  });
}

interface Run {
  readonly world: World;
  readonly service: App;
}

async function compare(bench: Bench, run: Run, comparison: Comparison): Promise<Row> {
  const ours: number[] = [];
  const byHand: number[] = [];
  for (let turn = 0; turn <= TURNS; turn++) {
    const mine = await timed(() => countByService(run, comparison));
    const other = await timed(() => countByHand(run, comparison));
    refuseDifference(comparison, mine.count, other.count);
    if (turn === 0) continue;
    ours.push(mine.ms);
    byHand.push(other.ms);
  }
  return toRow(bench, comparison.name, { ours, byHand, memoryMib: run.service.peakMemoryMib() });
}

async function timed(count: () => Promise<number>): Promise<{ readonly ms: number; readonly count: number }> {
  const startedAtMs = performance.now();
  const result = await count();
  return { ms: performance.now() - startedAtMs, count: result };
}

async function countByService({ world, service }: Run, { name, criteria }: Comparison): Promise<number> {
  const authorization = `Basic ${Buffer.from(`${world.apiKey}:`).toString("base64")}`;
  const answer = await fetch(`http://127.0.0.1:${service.port}/v2/audiencecount`, {
    method: "POST",
    headers: { authorization, "content-type": "application/json" },
    body: JSON.stringify(criteria),
  });
  if (!answer.ok) throw new Error(`${name} was answered with ${answer.status}: ${await answer.text()}`);
  return answerSchema.parse(await answer.json()).count;
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

interface Times {
  readonly ours: number[];
  readonly byHand: number[];
  readonly memoryMib: number;
}

function toRow(bench: Bench, name: string, { ours, byHand, memoryMib }: Times): Row {
  const figures = toFigures([toStretch(ours)], memoryMib);
  const limit = toFigures([toStretch(byHand)]);
  const ratio = median(ours) / median(byHand);
  bench.say(`audience, ${name}: ${median(ours).toFixed(0)} ms, by hand ${median(byHand).toFixed(0)} ms`);
  return {
    path: "audience",
    what: name,
    ours: figures,
    limits: [{ name: "SQL written by hand", figures: limit, ratio }],
    aim: atMost(ratio, AIM_RATIO, "times its time"),
  };
}

function withWorst(rows: readonly Row[]): Row[] {
  const ratios = rows.flatMap(({ limits }) => limits.map(({ ratio }) => ratio));
  const worst = `the worst of ${rows.length} takes ${Math.max(...ratios).toFixed(2)} times the SQL written by hand`;
  return rows.map((row, index) => (index === rows.length - 1 ? { ...row, notes: [worst] } : row));
}
