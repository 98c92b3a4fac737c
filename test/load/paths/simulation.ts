import { z } from "zod";
import { type Analysts, runJob, withAnalysts } from "../analytics/analysts.ts";
import { SIZES, seedAudience } from "../audience/seed.ts";
import { enableOrchestration } from "../automation/journeys.ts";
import { withQueryUsage } from "../measure/queryUsage.ts";
import { type Stretch, toFigures } from "../measure/tally.ts";
import { atMost, type Row } from "../report/row.ts";
import type { Bench } from "../world/services.ts";
import { type World, withWorld } from "../world/world.ts";

const DAYS = 30;
const DAY_MS = 86_400_000;
const AIM_RATIO = 5;
const numbers = z.object({ simulation: z.looseObject({ entered: z.number() }) });

/** Times a simulation of a journey over the last 30 days, next to reading the same activities in the same order. */
export async function simulation(bench: Bench): Promise<Row[]> {
  return withWorld(bench, "simulation", async (world) => {
    const { contacts, activities } = SIZES[bench.scale];
    bench.say(
      `simulation: making ${contacts.toLocaleString("en")} contacts, ${activities.toLocaleString("en")} activities`,
    );
    await seedAudience(world, bench.scale);
    return withAnalysts(bench, world, async (analysts) => {
      const orchestration = await enableOrchestration(world, analysts.service.port, journey);
      const to = Math.floor(Date.now() / DAY_MS) * DAY_MS;
      const days = { from: to - DAYS * DAY_MS, to };
      const [ours, byHand]: [Stretch[], Stretch[]] = [[], []];
      let entered = 0;
      let note = "";
      for (let round = 0; round < bench.rounds; round++) {
        const read = await readInOrder(world, days);
        byHand.push(read);
        const { result: job, usage } = await withQueryUsage(world.clickhouse, () =>
          simulate(world, analysts, { orchestration, ...days }),
        );
        entered = numbers.parse(job.metadata).simulation.entered;
        ours.push({ events: read.events, seconds: job.seconds, cpuSeconds: job.cpuSeconds });
        bench.say(
          `simulation, round ${round + 1}: ${job.seconds.toFixed(1)} s, reading alone ${read.seconds.toFixed(1)} s`,
        );
        note = `worker ${job.cpuSeconds.toFixed(1)} s, ClickHouse ${(usage.cpuMs / 1_000).toFixed(1)} s of a core for ${Math.round(usage.rows).toLocaleString("en")} rows`;
      }
      const [mine, alone] = [toFigures(ours, analysts.worker.peakMemoryMib()), toFigures(byHand)];
      const ratio = alone.eventsPerSecond / mine.eventsPerSecond;
      return [{ ...toRow({ mine, alone, ratio, entered, events: byHand[0]?.events ?? 0 }), notes: [note] }];
    });
  });
}

/** Everybody who searched enters, waits for a purchase, and takes one of two ways. */
const journey = {
  name: "Simulated",
  trigger: { event: { action: "search" } },
  entry: { reentry: "after-exit" },
  composition: {
    draft: {
      actions: [
        {
          ...{ id: "wait", type: "wait", config: { any: [{ event: "purchase" }], timeout: { n: 7, unit: "day" } } },
          next: [
            { id: "bought", label: "0" },
            { id: "silent", label: "timeout" },
          ],
        },
        { id: "bought", type: "goal", config: { name: "bought" } },
        { id: "silent", type: "goal", config: { name: "silent" } },
      ],
    },
  },
};

interface Days {
  readonly from: number;
  readonly to: number;
}

async function readInOrder({ clickhouse, account }: World, { from, to }: Days): Promise<Stretch> {
  const within =
    "account = {account: UInt32} AND time >= fromUnixTimestamp64Milli({from: Int64}) AND time < fromUnixTimestamp64Milli({to: Int64})";
  const params = { account: account.number, from, to };
  const [row] = await clickhouse.query<{ events: number | string }>(
    `SELECT count() AS events FROM activities WHERE ${within}`,
    params,
  );
  const startedAtMs = performance.now();
  await clickhouse.command(
    `SELECT record, contact, action, time, properties FROM activities WHERE ${within} ORDER BY contact, time, record FORMAT Null`,
    params,
  );
  return { events: Number(row?.events), seconds: (performance.now() - startedAtMs) / 1_000 };
}

function simulate(world: World, analysts: Analysts, { orchestration, from, to }: Days & { orchestration: string }) {
  const time = (ms: number) => new Date(ms).toISOString();
  const body = { from: time(from), to: time(to) };
  return runJob(world, analysts, { path: `/v2/orchestrations/${orchestration}/simulate`, body });
}

interface Measured {
  readonly mine: ReturnType<typeof toFigures>;
  readonly alone: ReturnType<typeof toFigures>;
  readonly ratio: number;
  readonly entered: number;
  readonly events: number;
}

function toRow({ mine, alone, ratio, entered, events }: Measured): Row {
  return {
    path: "simulation",
    what: `${DAYS} days, ${events.toLocaleString("en")} activities, ${entered.toLocaleString("en")} entries`,
    ours: mine,
    limits: [{ name: "reading the same activities in order", figures: alone, ratio: 1 / ratio }],
    aim: atMost(ratio, AIM_RATIO, "times their time"),
  };
}
