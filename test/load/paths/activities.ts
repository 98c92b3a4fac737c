import { followProjector, intakeEnds, type Range } from "../measure/progress.ts";
import { microsPerRecord } from "../measure/storeUsage.ts";
import { type Stretch, toFigures } from "../measure/tally.ts";
import { type Side, takeTurns } from "../measure/turns.ts";
import { startApp } from "../processes/app.ts";
import { startWorker, type Worker } from "../processes/worker.ts";
import { fillTopic, INTAKE_TOPIC } from "../records/fillTopic.ts";
import { atLeast, type Row } from "../report/row.ts";
import { bareResult, nothing } from "../tasks/bareTasks.ts";
import { insertKnownContacts } from "../world/knownContacts.ts";
import type { Bench } from "../world/services.ts";
import { type World, withWorld } from "../world/world.ts";

const RECORDS_PER_SECOND = 25_000;
const ROWS_PER_BLOCK = 10_000;
/** Partitions at a time, as in the activities group. */
const CONCURRENTLY = 4;
const AIM_PER_CORE_SECOND = 60_000;

/** Kafka to ClickHouse: activities of known contacts, state and activities together. */
export async function activities(bench: Bench): Promise<Row[]> {
  return withWorld(bench, "activities", (world) =>
    withWorld(bench, "bare_activities", async (bareWorld) => {
      await insertKnownContacts(world, recordsOf(bench));
      const consumer = await startWorker("bareConsumer.ts");
      const inserter = await startWorker("bareInsert.ts");
      const row = await measure(bench, { world, bareWorld, consumer, inserter });
      await Promise.all([consumer.stop(), inserter.stop()]);
      return [row];
    }),
  );
}

interface Run {
  readonly world: World;
  readonly bareWorld: World;
  readonly consumer: Worker;
  readonly inserter: Worker;
}

async function measure(bench: Bench, run: Run): Promise<Row> {
  const peaksMib: number[] = [];
  let turn = 0;
  const sides: Side[] = [
    { name: "ours", stretch: () => applyActivities(bench, run.world, { peaksMib, turn: turn++ }) },
    { name: "bare insert", isLimit: true, stretch: () => bareInsert(bench, run, turn) },
    { name: "bare consumer", isLimit: true, stretch: () => bareConsumer(bench, run) },
  ];
  const [ourTurns = [], inserting = [], consuming = []] = await takeTurns(bench, "activities", sides);
  const figures = toFigures(ourTurns, Math.max(...peaksMib));
  const [insert, consume] = [toFigures(inserting), toFigures(consuming)];
  const perCoreSecond = figures.eventsPerCoreSecond ?? 0;
  return {
    path: "activities",
    what: "activities of known contacts, state and activities together",
    ours: figures,
    limits: [
      { name: "bare insert of ready blocks", figures: insert, ratio: figures.eventsPerSecond / insert.eventsPerSecond },
      {
        name: "bare kafkajs consumer that parses",
        figures: consume,
        ratio: perCoreSecond / (consume.eventsPerCoreSecond ?? Number.NaN),
      },
    ],
    aim: atLeast(perCoreSecond, AIM_PER_CORE_SECOND, "per core-s"),
    micros: microsPerRecord("projector", ourTurns),
  };
}

/** Records of one turn. */
export function recordsOf({ seconds, warmSeconds }: Bench): number {
  return Math.ceil(((warmSeconds + seconds) * RECORDS_PER_SECOND) / ROWS_PER_BLOCK) * ROWS_PER_BLOCK;
}

/** Times our side from when it is warm until ClickHouse has the last record. */
export async function applyActivities(
  bench: Bench,
  world: World,
  { peaksMib, turn }: { readonly peaksMib: number[]; readonly turn: number },
): Promise<Stretch> {
  const before = await intakeEnds(bench);
  const records = recordsOf(bench);
  await fillTopic(bench, world, { operation: "createContactactivities", firstContact: 0, records, round: turn });
  const range: Range = { before, after: await intakeEnds(bench), records };
  const app = await startApp(bench, "projector", world.env);
  const begins = { group: "activities", warmSeconds: bench.warmSeconds };
  const stretch = await followProjector(bench, { world, app }, { range, begins, endsWith: "activities" });
  peaksMib.push(app.peakMemoryMib());
  await app.stop();
  return stretch;
}

async function bareInsert(bench: Bench, { bareWorld, inserter }: Run, turn: number): Promise<Stretch> {
  const blocks = recordsOf(bench) / ROWS_PER_BLOCK;
  const firstContact = turn * recordsOf(bench);
  await inserter.run({ kind: "prepare", rowsPerBlock: ROWS_PER_BLOCK, blocks, firstContact }, nothing);
  const url = bareWorld.env.CLICKHOUSE_URL;
  return inserter.run({ kind: "insert", url, concurrently: CONCURRENTLY }, bareResult);
}

function bareConsumer({ services }: Bench, { consumer }: Run): Promise<Stretch> {
  return consumer.run({ brokers: services.kafkaBrokers, topic: INTAKE_TOPIC }, bareResult);
}
