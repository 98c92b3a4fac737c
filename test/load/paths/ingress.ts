import { catalogue } from "@headwater/topics";
import { httpStretch } from "../measure/httpStretch.ts";
import { type Stretch, toFigures } from "../measure/tally.ts";
import { type Side, takeTurns } from "../measure/turns.ts";
import { startWorker, type Worker } from "../processes/worker.ts";
import { ingressOperations, type OperationName } from "../records/items.ts";
import { atLeast, type Row } from "../report/row.ts";
import { bareResult, nothing } from "../tasks/bareTasks.ts";
import type { Bench } from "../world/services.ts";
import { applyTopics } from "../world/topics.ts";
import { type World, withWorld } from "../world/world.ts";
import { type HttpTargets, withHttpTargets } from "./httpTargets.ts";

const TOPIC = "intake.records";
const BATCH = 100;
const BODIES = 400;
const CONNECTIONS = 16;
/** More connections than that are tried with the first operation alone. */
const MORE_CONNECTIONS = [64, 256];
const AIM_PER_CORE_SECOND = 70_000;

/** HTTP batches of 100 until the log has acknowledged them. */
export async function ingress(bench: Bench): Promise<Row[]> {
  return withWorld(bench, "ingress", (world) =>
    withHttpTargets(bench, world, async (targets) => {
      const rows: Row[] = [];
      for (const run of runs) rows.push(await oneRun(bench, world, { ...run, targets }));
      return rows;
    }),
  );
}

const [firstOperation] = ingressOperations;
const runs = [
  ...ingressOperations.map((operation) => ({ operation, connections: CONNECTIONS })),
  ...MORE_CONNECTIONS.map((connections) => ({ operation: firstOperation, connections })),
];

interface Run {
  readonly targets: HttpTargets;
  readonly operation: OperationName;
  readonly connections: number;
}

async function oneRun(bench: Bench, world: World, { targets, operation, connections }: Run): Promise<Row> {
  const { ingress: app, parseOnly, load } = targets;
  const task = {
    apiKey: world.apiKey,
    series: { operation, batch: BATCH, bodies: BODIES, firstContact: 0 },
    connections,
    seconds: bench.seconds,
  };
  // The frames that the bare producer sends are those that this wrote.
  await httpStretch(load, app, { ...task, seconds: 1 });
  const producer = await openProducer(bench, operation);
  const sides: Side[] = [
    { name: "ours", stretch: () => httpStretch(load, app, task) },
    { name: "parsing alone", isLimit: true, stretch: () => httpStretch(load, parseOnly, task) },
    {
      name: "bare producer",
      isLimit: true,
      stretch: () => producer.run({ kind: "send", seconds: bench.seconds }, bareResult),
    },
  ];
  const [ours = [], parsing = [], sending = []] = await takeTurns(
    bench,
    `ingress ${operation}, ${connections} connections`,
    sides,
  );
  await producer.stop();
  return toRow({ operation, connections }, app.peakMemoryMib(), { ours, parsing, sending });
}

/** A worker that holds frames of the ingress and a topic of its own to send them to. */
async function openProducer({ services }: Bench, operation: OperationName): Promise<Worker> {
  const fallback = catalogue.find(({ name }) => name === TOPIC);
  if (fallback === undefined) throw new Error(`no topic ${TOPIC}`);
  const to = `bench.frames.${operation}`;
  await applyTopics(services.kafkaBrokers, [{ ...fallback, name: to }]);
  const worker = await startWorker("bareProducer.ts");
  await worker.run({ kind: "load", brokers: services.kafkaBrokers, from: TOPIC, to }, nothing);
  return worker;
}

interface Turns {
  readonly ours: readonly Stretch[];
  readonly parsing: readonly Stretch[];
  readonly sending: readonly Stretch[];
}

function toRow({ operation, connections }: Omit<Run, "targets">, memoryMib: number, turns: Turns): Row {
  const ours = toFigures(turns.ours, memoryMib);
  const limits = [
    { name: "Fastify that only parses", figures: toFigures(turns.parsing) },
    { name: "bare kafkajs producer, same frames", figures: toFigures(turns.sending) },
  ];
  const perCoreSecond = ours.eventsPerCoreSecond ?? 0;
  return {
    path: "ingress",
    what: `batches of ${BATCH} ${operation}, ${connections} connections`,
    ours,
    limits: limits.map((limit) => ({
      ...limit,
      ratio: perCoreSecond / (limit.figures.eventsPerCoreSecond ?? Number.NaN),
    })),
    aim: atLeast(perCoreSecond, AIM_PER_CORE_SECOND, "per core-s"),
  };
}
