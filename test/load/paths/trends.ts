import { z } from "zod";
import { runJob, withAnalysts } from "../analytics/analysts.ts";
import { SIZES, seedAnalytics } from "../analytics/seed.ts";
import { toFigures } from "../measure/tally.ts";
import { median } from "../measure/times.ts";
import type { App } from "../processes/app.ts";
import { atMost, type Row } from "../report/row.ts";
import { callService } from "../service/callService.ts";
import type { Bench } from "../world/services.ts";
import { type World, withWorld } from "../world/world.ts";

const DAYS = 365;
/** Instants of the year that are counted one by one; the others are taken to cost as much. */
const COUNTED = 8;
const DAY_MS = 86_400_000;
const AIM_SECONDS = 60;

const last = (n: number) => ({ last: { n, unit: "day" } });
const gold = { field: "attributes.plan", op: "eq", value: "gold" };
const shoes = { field: "category", op: "eq", value: "Shoes" };
const questions: readonly { readonly name: string; readonly criteria: object }[] = [
  { name: "a number at least 500", criteria: { field: "attributes.score", op: "gte", value: 500 } },
  { name: "opened in 30 days", criteria: { event: "open", within: last(30) } },
  {
    name: "browsed shoes twice in 90 days",
    criteria: { event: "browse", where: [shoes], count: { op: "gte", value: 2 }, within: last(90) },
  },
  { name: "gold, purchased in 180 days", criteria: { and: [gold, { event: "purchase", within: last(180) }] } },
  { name: "gold, opened nothing in 90 days", criteria: { and: [gold], exclude: { event: "open", within: last(90) } } },
];
const countShape = z.object({ count: z.number() });

/** A year by day of each question, next to as many counts as it has instants. */
export async function trends(bench: Bench): Promise<Row[]> {
  return withWorld(bench, "trends", async (world) => {
    const size = SIZES[bench.scale];
    bench.say(`trends: making ${size.contacts} contacts, ${size.activities} activities`);
    await seedAnalytics(world, size);
    return withAnalysts(bench, world, async (analysts) => {
      const rows: Row[] = [];
      for (const { name, criteria } of questions) {
        const end = Date.now();
        const timeframe = { start: new Date(end - DAYS * DAY_MS).toISOString(), end: new Date(end).toISOString() };
        const body = { criteria, timeframe, grain: "day", exportType: "csv" };
        const job = await runJob(world, analysts, { path: "/v2/audiencetrendsexport", body });
        const points = job.result?.totalRecords ?? 0;
        const countMs = await countsOf(world, analysts.service, { criteria, end });
        bench.say(
          `trends, ${name}: ${job.seconds.toFixed(2)} s for ${points} points; one count ${countMs.toFixed(0)} ms`,
        );
        rows.push(toRow({ name, points, seconds: job.seconds, countMs }));
      }
      return rows;
    });
  });
}

/** Time of one count as of an instant of the year. */
async function countsOf(
  world: World,
  { port }: App,
  { criteria, end }: { readonly criteria: object; readonly end: number },
): Promise<number> {
  const times: number[] = [];
  for (let index = 0; index <= COUNTED; index++) {
    const asOf = new Date(end - Math.round((index * DAYS) / COUNTED) * DAY_MS).toISOString();
    const startedAtMs = performance.now();
    countShape.parse(
      await callService(world, { port, path: "/v2/audiencecount", body: { criteria, asOf, basis: "event" } }),
    );
    times.push(performance.now() - startedAtMs);
  }
  // The first count warms.
  return median(times.slice(1));
}

interface Timed {
  readonly name: string;
  readonly points: number;
  readonly seconds: number;
  readonly countMs: number;
}

function toRow({ name, points, seconds, countMs }: Timed): Row {
  const countSeconds = (DAYS * countMs) / 1_000;
  return {
    ...{ path: "trends", what: `a year by day: ${name}`, ours: toFigures([{ events: points, seconds }]) },
    limits: [
      {
        name: `${DAYS} counts, from ${COUNTED} of them (ratio of times)`,
        figures: toFigures([{ events: DAYS, seconds: countSeconds }]),
        ratio: seconds / countSeconds,
      },
    ],
    aim: atMost(seconds, AIM_SECONDS, "s"),
    notes: [`${seconds.toFixed(2)} s; one count ${countMs.toFixed(0)} ms`],
  };
}
