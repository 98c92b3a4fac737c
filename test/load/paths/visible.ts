import { sentenceOfStages, watchStages } from "../measure/stages.ts";
import { microsPerRecord, readStoreUsage, usageSince } from "../measure/storeUsage.ts";
import { type Stretch, toFigures } from "../measure/tally.ts";
import { readWriteCounts, sentenceOfCounts } from "../measure/writeCounts.ts";
import type { App } from "../processes/app.ts";
import { atMost, type Row } from "../report/row.ts";
import type { Bench } from "../world/services.ts";
import type { World } from "../world/world.ts";
import { type Probe, probeUntil } from "./visibilityProbe.ts";
import { findCapacity, loadSteadily, type WholeWay, withWholeWay } from "./wholeWay.ts";

const AIM_P99_MS = { contact: 500, activity: 1_000 } as const;

/** Times the way from the 202 until /v2 shows the record, while everything runs at half of what this machine can do. */
export async function visible(bench: Bench): Promise<Row[]> {
  return withWholeWay(bench, "visible", (world, way) => measure(bench, world, way));
}

async function measure(bench: Bench, world: World, way: WholeWay): Promise<Row[]> {
  const capacity = await findCapacity(bench, world, way);
  bench.say(`visible: ${Math.round(capacity).toLocaleString("en")} events/s from HTTP into both stores`);
  const { ingress, projector, service } = way;
  const apps = [ingress, projector, service];
  const [cpuBefore, startedAtMs] = [cpuOf(apps), performance.now()];
  const [countsBefore, usageBefore] = [await readWriteCounts(world), readStoreUsage(bench)];
  const stages = watchStages(world);
  const loading = loadSteadily(world, way, {
    eventsPerSecond: bench.rate ?? capacity / 2,
    seconds: bench.seconds * 3,
  });
  const probes = await probeUntil(loading, { world, ingressPort: ingress.port, servicePort: service.port });
  const checks = await stages.stop();
  const cpuSeconds = cpuOf(apps).map((seconds, index) => seconds - (cpuBefore[index] ?? 0));
  const cores = sentenceOfCores(cpuSeconds, (performance.now() - startedAtMs) / 1_000);
  const loaded = { ...(await loading), cpuSeconds: cpuSeconds.reduce((sum, one) => sum + one, 0) };
  const stores = usageSince(usageBefore, readStoreUsage(bench));
  const notes = [sentenceOfCounts(countsBefore, await readWriteCounts(world), loaded.seconds), cores];
  const micros = microsPerRecord("ours", [{ ...loaded, stores }]);
  const memory = apps.reduce((sum, app) => sum + app.peakMemoryMib(), 0);
  const ofKind = (kind: Probe["kind"]) => probes.filter((probe) => probe.kind === kind);
  const activities = ofKind("activity").map(({ accepted }) => accepted);
  return [
    toRow("contact", ofKind("contact"), { loaded, memory, notes, micros }),
    toRow("activity", ofKind("activity"), { loaded, memory, notes: [sentenceOfStages(checks, activities)] }),
  ];
}

function cpuOf(apps: readonly App[]): number[] {
  return apps.map((app) => app.cpuSeconds());
}

const APP_NAMES = ["ingress", "projector", "service"] as const;

/** Returns a sentence of how many cores each process took. */
function sentenceOfCores(cpuSeconds: readonly number[], seconds: number): string {
  const cores = cpuSeconds.map((one, index) => `${APP_NAMES[index]} ${(one / seconds).toFixed(2)}`);
  return `cores: ${cores.join(", ")}`;
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
