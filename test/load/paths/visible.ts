import { untilAllIsDone } from "../measure/progress.ts";
import { sentenceOfStages, watchStages } from "../measure/stages.ts";
import { microsPerRecord, readStoreUsage, usageSince } from "../measure/storeUsage.ts";
import { type Stretch, toFigures } from "../measure/tally.ts";
import { readWriteCounts, sentenceOfCounts } from "../measure/writeCounts.ts";
import { type App, startApp } from "../processes/app.ts";
import { startWorker, type Worker } from "../processes/worker.ts";
import { atMost, type Row } from "../report/row.ts";
import { type HttpLoadTask, httpLoadResult } from "../tasks/httpLoadTask.ts";
import { insertKnownContacts } from "../world/knownContacts.ts";
import type { Bench } from "../world/services.ts";
import { type World, withWorld } from "../world/world.ts";
import { type Probe, probeUntil } from "./visibilityProbe.ts";

const BATCH = 100;
const BODIES = 800;
const CONNECTIONS = 4;
/** Connections of the half load: it never waits for a free one. */
const CONNECTIONS_OPEN = 64;
const AIM_P99_MS = { contact: 500, activity: 1_000 } as const;
const ACCEPTED = 202;

/** Times the way from the 202 until /v2 shows the record, while everything runs at half of what this machine can do. */
export async function visible(bench: Bench): Promise<Row[]> {
  return withWorld(bench, "visible", async (world) => {
    await insertKnownContacts(world, BATCH * BODIES);
    const apps = await Promise.all([
      startApp(bench, "ingress", world.env),
      startApp(bench, "projector", world.env),
      startApp(bench, "service", world.env),
    ]);
    const loads = await Promise.all([startWorker("httpLoad.ts"), startWorker("httpLoad.ts")]);
    try {
      return await measure(bench, world, { apps, loads });
    } finally {
      await Promise.all([...loads.map((load) => load.stop()), ...apps.map((app) => app.stop())]);
    }
  });
}

interface Run {
  /** Ingress, projector, service. */
  readonly apps: readonly [App, App, App];
  /** Contacts, activities. */
  readonly loads: readonly [Worker, Worker];
}

async function measure(bench: Bench, world: World, run: Run): Promise<Row[]> {
  const capacity = await findCapacity(bench, world, run);
  bench.say(`visible: ${Math.round(capacity).toLocaleString("en")} events/s from HTTP into both stores`);
  const [ingress, , service] = run.apps;
  const [cpuBefore, startedAtMs] = [cpuOf(run), performance.now()];
  const [countsBefore, usageBefore] = [await readWriteCounts(world), readStoreUsage(bench)];
  const stages = watchStages(world);
  const loading = loadBoth(world, run, {
    newContacts: 2 * BATCH * BODIES,
    connections: CONNECTIONS_OPEN,
    seconds: bench.seconds * 3,
    requestsPerSecond: (bench.rate ?? capacity / 2) / 2 / BATCH,
  });
  const probes = await probeUntil(loading, { world, ingressPort: ingress.port, servicePort: service.port });
  const looks = await stages.stop();
  const cpuSeconds = cpuOf(run).map((seconds, index) => seconds - (cpuBefore[index] ?? 0));
  const cores = sentenceOfCores(cpuSeconds, (performance.now() - startedAtMs) / 1_000);
  const loaded = { ...(await loading), cpuSeconds: cpuSeconds.reduce((sum, one) => sum + one, 0) };
  const stores = usageSince(usageBefore, readStoreUsage(bench));
  const notes = [sentenceOfCounts(countsBefore, await readWriteCounts(world), loaded.seconds), cores];
  const micros = microsPerRecord("ours", [{ ...loaded, stores }]);
  const memory = run.apps.reduce((sum, app) => sum + app.peakMemoryMib(), 0);
  const ofKind = (kind: Probe["kind"]) => probes.filter((probe) => probe.kind === kind);
  const activities = ofKind("activity").map(({ accepted }) => accepted);
  return [
    toRow("contact", ofKind("contact"), { loaded, memory, notes, micros }),
    toRow("activity", ofKind("activity"), { loaded, memory, notes: [sentenceOfStages(looks, activities)] }),
  ];
}

function cpuOf({ apps }: Run): number[] {
  return apps.map((app) => app.cpuSeconds());
}

const APP_NAMES = ["ingress", "projector", "service"] as const;

/** Returns a sentence of how many cores each process took. */
function sentenceOfCores(cpuSeconds: readonly number[], seconds: number): string {
  const cores = cpuSeconds.map((one, index) => `${APP_NAMES[index]} ${(one / seconds).toFixed(2)}`);
  return `cores: ${cores.join(", ")}`;
}

/** Events per second from the first request until both stores have all of it. */
async function findCapacity(bench: Bench, world: World, run: Run): Promise<number> {
  const startedAtMs = performance.now();
  const { events } = await loadBoth(world, run, {
    newContacts: BATCH * BODIES,
    connections: CONNECTIONS,
    seconds: bench.seconds,
  });
  await untilAllIsDone(bench, world);
  return (events * 1_000) / (performance.now() - startedAtMs);
}

type Plan = Pick<HttpLoadTask, "connections" | "seconds" | "requestsPerSecond"> & {
  /** Number of the first contact that is new; those below it are known. */
  readonly newContacts: number;
};

/** New contacts, and activities of known ones. */
async function loadBoth(
  world: World,
  { apps: [ingress], loads: [contacts, events] }: Run,
  { newContacts, ...plan }: Plan,
): Promise<Stretch> {
  const series = { batch: BATCH, bodies: BODIES };
  const task = { ...plan, apiKey: world.apiKey, port: ingress.port };
  const results = await Promise.all([
    contacts.run(
      { ...task, series: { ...series, operation: "upsertContact", firstContact: newContacts } },
      httpLoadResult,
    ),
    events.run(
      { ...task, series: { ...series, operation: "createContactactivities", firstContact: 0 } },
      httpLoadResult,
    ),
  ]);
  const accepted = results.reduce((sum, { statuses }) => sum + (statuses.get(ACCEPTED) ?? 0), 0);
  return { events: accepted * BATCH, seconds: Math.max(...results.map(({ seconds }) => seconds)) };
}

interface Loaded extends Pick<Row, "micros"> {
  readonly loaded: Stretch;
  readonly memory: number;
  readonly notes: readonly string[];
}

const titles = {
  contact: "a contact, in GET /v2/contacts/{key}",
  activity: "an activity, in GET /v2/contactactivities",
} as const;

function toRow(kind: Probe["kind"], probes: readonly Probe[], { loaded, memory, notes, micros }: Loaded): Row {
  const latenciesMs = Float32Array.from(probes, ({ visibleAfterMs }) => visibleAfterMs);
  const ours = toFigures([{ ...loaded, latenciesMs }], memory);
  return {
    path: "visible",
    what: titles[kind],
    ours,
    limits: [],
    aim: atMost(ours.p99Ms ?? Number.POSITIVE_INFINITY, AIM_P99_MS[kind], "ms p99"),
    notes: [`${probes.length} probes`, ...notes],
    ...(micros !== undefined && { micros }),
  };
}
