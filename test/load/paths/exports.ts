import { ACTIVITIES_GROUP, STATE_GROUP } from "@headwater/contracts";
import { worlds } from "../../destinations/storageServers.ts";
import { type Analysts, type EndedJob, runJob, withAnalysts } from "../analytics/analysts.ts";
import { type Exported, type FileFormat, readByHand } from "../analytics/byHand.ts";
import { ATTRIBUTE_KEYS, activityStatement, SIZES, seedAnalytics } from "../analytics/seed.ts";
import { type Stretch, toFigures } from "../measure/tally.ts";
import { fillTopic, INTAKE_TOPIC } from "../records/fillTopic.ts";
import { atLeast, atMost, type Row } from "../report/row.ts";
import type { Bench } from "../world/services.ts";
import { topicEnds } from "../world/topics.ts";
import { type World, withWorld } from "../world/world.ts";

const AIM_STORED = 0.7;
const AIM_OUTSIDE = 0.5;
const AIM_INCREMENT = 0.05;
/** Activities that came since the whole export: one in a hundred. */
const INCREMENT_SHARE = 0.01;
const always = { start: "2000-01-01", end: "2100-01-01" };

const calls: Readonly<Record<Exported, { readonly path: string; readonly body: object }>> = {
  contacts: {
    path: "/v2/contactexports",
    body: { fields: ["cID", "channels.email.address", ...ATTRIBUTE_KEYS.map((key) => `attributes.${key}`)] },
  },
  activities: { path: "/v2/contactactivityexport", body: { timeframe: always } },
};

interface Run extends Analysts {
  readonly bench: Bench;
  readonly world: World;
  /** Destinations of files, by the names of the table. */
  readonly destinations: Readonly<Record<string, object | undefined>>;
}

/** Exports of ten columns, stored here and sent to a bucket, next to the same rows read by hand and thrown away. */
export async function exports(bench: Bench): Promise<Row[]> {
  return withWorld(bench, "exports", async (world) => {
    const size = SIZES[bench.scale];
    bench.say(`exports: making ${size.contacts} contacts, ${size.activities} activities`);
    await seedAnalytics(world, size);
    const outside = await worlds.s3();
    try {
      return await withAnalysts(bench, world, async (analysts) => {
        const run = {
          bench,
          world,
          destinations: { "kept here": undefined, "a bucket": outside.storage },
          ...analysts,
        };
        const rows: Row[] = [];
        for (const exported of ["contacts", "activities"] as const)
          for (const format of ["csv", "parquet"] as const) rows.push(...(await compared(run, exported, format)));
        return [...rows, await increment(run)];
      });
    } finally {
      await outside.stop();
    }
  });
}

async function compared(run: Run, exported: Exported, format: FileFormat): Promise<Row[]> {
  const { bench, world } = run;
  const rows = SIZES[bench.scale][exported];
  const ours = new Map(Object.keys(run.destinations).map((name): [string, Stretch[]] => [name, []]));
  const byHand: Stretch[] = [];
  // The first round warms both.
  for (let round = 0; round <= bench.rounds; round++) {
    const startedAtMs = performance.now();
    const bytes = await readByHand(world, exported, format);
    const limit = { events: rows, seconds: (performance.now() - startedAtMs) / 1_000 };
    bench.say(`exports, ${exported} as ${format}, by hand: ${limit.seconds.toFixed(2)} s, ${bytes} bytes`);
    if (round > 0) byHand.push(limit);
    for (const [name, stretches] of ours) {
      const stretch = await exportedTo(run, { exported, format, name });
      if (round > 0) stretches.push(stretch);
    }
  }
  const limit = toFigures(byHand);
  return [...ours].map(([name, stretches]) => {
    const figures = toFigures(stretches, run.worker.peakMemoryMib());
    const ratio = figures.eventsPerSecond / limit.eventsPerSecond;
    return {
      ...{ path: "exports", what: `${exported} as ${format}, ${name}`, ours: figures },
      limits: [{ name: "SELECT by hand, thrown away", figures: limit, ratio }],
      aim: atLeast(ratio, name === "kept here" ? AIM_STORED : AIM_OUTSIDE, "of ClickHouse's"),
    };
  });
}

async function exportedTo(
  run: Run,
  { exported, format, name }: { readonly exported: Exported; readonly format: FileFormat; readonly name: string },
): Promise<Stretch> {
  const job = await exportWith(run, exported, { exportType: format, destination: run.destinations[name] });
  const expected = SIZES[run.bench.scale][exported];
  if (job.result?.totalRecords !== expected) throw new Error(`${exported}: ${job.result?.totalRecords} of ${expected}`);
  run.bench.say(`exports, ${exported} as ${format}, ${name}: ${job.seconds.toFixed(2)} s`);
  return { events: expected, seconds: job.seconds, cpuSeconds: job.cpuSeconds };
}

function exportWith(run: Run, exported: Exported, more: object): Promise<EndedJob> {
  const { path, body } = calls[exported];
  return runJob(run.world, run, { path, body: { ...body, ...more } });
}

/** The hundredth part of the activities, which came since an export of all of them, next to that export. */
async function increment(run: Run): Promise<Row> {
  const { bench, world } = run;
  const { contacts, activities } = SIZES[bench.scale];
  const rows = activities * INCREMENT_SHARE;
  const whole = await exportWith(run, "activities", { exportType: "csv" });
  await goOn(bench, world);
  const sql = activityStatement(world.account.number, contacts, { first: activities, rows, generation: 1 });
  await world.clickhouse.command(sql);
  const since = whole.metadata.watermark?.token;
  const stretches: Stretch[] = [];
  for (let round = 0; round <= bench.rounds; round++) {
    const job = await runJob(world, run, { path: calls.activities.path, body: { since, exportType: "csv" } });
    if (job.result?.totalRecords !== rows) throw new Error(`increment: ${job.result?.totalRecords} of ${rows}`);
    bench.say(`exports, increment: ${job.seconds.toFixed(2)} s of ${whole.seconds.toFixed(2)} s`);
    if (round > 0) stretches.push({ events: rows, seconds: job.seconds, cpuSeconds: job.cpuSeconds });
  }
  const ratio = stretches.reduce((sum, { seconds }) => sum + seconds, 0) / stretches.length / whole.seconds;
  const figures = toFigures([{ events: activities, seconds: whole.seconds, cpuSeconds: whole.cpuSeconds }]);
  return {
    ...{ path: "exports", what: "increment of 1 % of the activities, csv", ours: toFigures(stretches) },
    limits: [{ name: "the whole export (ratio of times)", figures, ratio }],
    aim: atMost(ratio, AIM_INCREMENT, "of its time"),
  };
}

/** Lets the log go on by one frame in each partition that it has, and the groups past it. */
async function goOn(bench: Bench, world: World): Promise<void> {
  const filling = { operation: "upsertContact", firstContact: 0, records: 2_000, round: 0 } as const;
  await fillTopic(bench, world, filling);
  const text = `INSERT INTO stream_offsets (grp, topic, generation, partition, next_offset, window_from) VALUES ($1, $2, 1, $3, $4, 0)
    ON CONFLICT (grp, topic, generation, partition) DO UPDATE SET next_offset = $4`;
  for (const [partition, end] of await topicEnds(bench.services.kafkaBrokers, INTAKE_TOPIC))
    for (const group of [STATE_GROUP, ACTIVITIES_GROUP])
      await world.postgres.execute({ text }, [group, INTAKE_TOPIC, partition, end]);
}
