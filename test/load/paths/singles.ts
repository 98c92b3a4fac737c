import { httpStretch } from "../measure/httpStretch.ts";
import { toFigures } from "../measure/tally.ts";
import { takeTurns } from "../measure/turns.ts";
import { atLeast, type Row } from "../report/row.ts";
import type { Bench } from "../world/services.ts";
import { type World, withWorld } from "../world/world.ts";
import { type HttpTargets, withHttpTargets } from "./httpTargets.ts";

const CONNECTIONS = [64, 256] as const;
const BODIES = 20_000;
const AIM_PER_CORE_SECOND = 20_000;

/** Single calls until the log has acknowledged them. */
export async function singles(bench: Bench): Promise<Row[]> {
  return withWorld(bench, "singles", (world) =>
    withHttpTargets(bench, world, async (targets) => {
      const rows: Row[] = [];
      for (const connections of CONNECTIONS) rows.push(await withConnections(bench, world, { targets, connections }));
      return rows;
    }),
  );
}

interface Run {
  readonly targets: HttpTargets;
  readonly connections: number;
}

async function withConnections(bench: Bench, world: World, { targets, connections }: Run): Promise<Row> {
  const { ingress: app, parseOnly, load } = targets;
  const task = {
    apiKey: world.apiKey,
    series: { operation: "upsertContact", batch: 1, bodies: BODIES, firstContact: 0 } as const,
    connections,
    seconds: bench.seconds,
  };
  const [ours = [], parsing = []] = await takeTurns(bench, `singles, ${connections} connections`, [
    { name: "ours", stretch: () => httpStretch(load, app, task) },
    { name: "parsing alone", isLimit: true, stretch: () => httpStretch(load, parseOnly, task) },
  ]);
  const figures = toFigures(ours, app.peakMemoryMib());
  const limit = toFigures(parsing);
  const perCoreSecond = figures.eventsPerCoreSecond ?? 0;
  const ratio = perCoreSecond / (limit.eventsPerCoreSecond ?? Number.NaN);
  return {
    path: "singles",
    what: `single upsertContact, ${connections} connections`,
    ours: figures,
    limits: [{ name: "Fastify that only parses", figures: limit, ratio }],
    aim: atLeast(perCoreSecond, AIM_PER_CORE_SECOND, "per core-s"),
  };
}
