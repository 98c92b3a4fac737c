import { peakMemoryMib } from "../measure/processUsage.ts";
import { readStoreUsage, usageSince } from "../measure/storeUsage.ts";
import { type Stretch, toFigures } from "../measure/tally.ts";
import { addTransport, type MessageWorld, storeMessage, untilReached, withMessages } from "../messages/messageWorld.ts";
import { seedRecipients } from "../messages/recipients.ts";
import { type App, startApp } from "../processes/app.ts";
import { startWorker } from "../processes/worker.ts";
import { atLeast, type Row } from "../report/row.ts";
import { bareResult } from "../tasks/bareTasks.ts";
import type { Bench } from "../world/services.ts";

const MAILS = { small: 6_000, large: 200_000 } as const;
/** Share of the mails before the measurement begins. */
const WARM_SHARE = 0.2;
const CONNECTIONS = 8;
const WINDOW = 50;
const AIM_RATIO = 0.75;
const NO_RATE = 100_000;
const WITHIN_MS = 1_800_000;

/** A message to many, with intents, outcomes, events and rates, next to a loop of the same rendering and the same client. */
export async function sends(bench: Bench): Promise<Row[]> {
  const mails = MAILS[bench.scale];
  return withMessages(bench, "sends", async (world) => {
    bench.say(`sends: making ${mails.toLocaleString("en")} recipients`);
    await seedRecipients(world, { port: world.service.port, count: mails });
    const bare = bench.withLimits ? await bareLoop(bench, world, mails) : [];
    const { stretch, memoryMib } = await ours(bench, world, mails);
    return [toRow(mails, { mine: stretch, bare, memoryMib })];
  });
}

async function bareLoop(bench: Bench, { sinkPort }: MessageWorld, mails: number): Promise<Stretch[]> {
  const worker = await startWorker("messageLoop.ts");
  const task = { kind: "send", port: sinkPort, connections: CONNECTIONS, atOnce: WINDOW } as const;
  try {
    await worker.run({ ...task, mails: Math.round(mails * WARM_SHARE) }, bareResult);
    const stretch = await worker.run({ ...task, mails: Math.round(mails * (1 - WARM_SHARE)) }, bareResult);
    bench.say(`sends, bare loop: ${Math.round(stretch.events / stretch.seconds)}/s`);
    return [stretch];
  } finally {
    await worker.stop();
  }
}

async function ours(bench: Bench, world: MessageWorld, mails: number) {
  const transport = await addTransport(world, { connections: CONNECTIONS, perSecond: NO_RATE });
  const worker = await startApp(bench, "worker", world.env);
  try {
    await storeMessage(bench, world, { transport, atLeast: Math.min(mails, 10_000), withinMs: WITHIN_MS });
    const sender = await startApp(bench, "sender", world.env);
    const stretch = await follow(bench, world, { mails, sender });
    const memoryMib = peakMemoryMib(sender.pid);
    await sender.stop();
    bench.say(`sends, ours: ${Math.round(stretch.events / stretch.seconds)}/s`);
    return { stretch, memoryMib };
  } finally {
    await worker.stop();
  }
}

interface Following {
  readonly mails: number;
  readonly sender: App;
}

/** Measures from the first mails to the last one that the server took. */
async function follow(bench: Bench, { taken }: MessageWorld, { mails, sender }: Following): Promise<Stretch> {
  const before = await taken();
  const reach = (share: number) =>
    untilReached(taken, { atLeast: before + Math.round(mails * share), withinMs: WITHIN_MS, what: "mails" });
  await reach(WARM_SHARE);
  const [from, startedAtMs, cpu, stores] = [
    await taken(),
    performance.now(),
    sender.cpuSeconds(),
    readStoreUsage(bench),
  ];
  await reach(1);
  return {
    events: (await taken()) - from,
    seconds: (performance.now() - startedAtMs) / 1_000,
    cpuSeconds: sender.cpuSeconds() - cpu,
    stores: usageSince(stores, readStoreUsage(bench)),
  };
}

interface Sides {
  readonly mine: Stretch;
  readonly bare: readonly Stretch[];
  readonly memoryMib: number;
}

function toRow(mails: number, { mine, bare, memoryMib }: Sides): Row {
  const [ours, limit] = [toFigures([mine], memoryMib), toFigures(bare)];
  const ratio = ours.eventsPerSecond / limit.eventsPerSecond;
  const byCore = (ours.eventsPerCoreSecond ?? Number.NaN) / (limit.eventsPerCoreSecond ?? Number.NaN);
  const postgresMs = (1_000 * (mine.stores?.Postgres ?? Number.NaN)) / mine.events;
  return {
    path: "sends",
    what: `a message to ${mails.toLocaleString("en")}, letters of 30 KB, one sender`,
    ours,
    limits: [{ name: "bare loop: same rendering, same client", figures: limit, ratio }],
    aim: atLeast(ratio, AIM_RATIO, "of the bare loop"),
    notes: [`per core-second of the sender alone ${byCore.toFixed(2)}; Postgres ${postgresMs.toFixed(2)} ms a mail`],
  };
}
