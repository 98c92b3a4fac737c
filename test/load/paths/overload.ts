import { httpStretch } from "../measure/httpStretch.ts";
import { type Figures, type Stretch, toFigures } from "../measure/tally.ts";
import { type App, startApp } from "../processes/app.ts";
import { startWorker, type Worker } from "../processes/worker.ts";
import { INTAKE_TOPIC } from "../records/fillTopic.ts";
import { parseFrame, readTopic } from "../records/readTopic.ts";
import { atLeast, type Row } from "../report/row.ts";
import { type HttpLoadResult, httpLoadResult } from "../tasks/httpLoadTask.ts";
import type { Bench } from "../world/services.ts";
import { type World, withWorld } from "../world/world.ts";

const BATCH = 100;
const BODIES = 400;
/** Connections of the closed loop that finds the peak. */
const CONNECTIONS = 16;
/** Connections of the open loop: enough that no request waits for a free one while the ingress answers within seconds. */
const CONNECTIONS_OVERLOAD = 4_000;
const TIMES_PEAK = 2;
const ACCEPTED = 202;
const REFUSALS: readonly number[] = [429, 503];
const AIM_RATIO = 0.9;

/** Twice what the ingress takes, whatever becomes of it: nothing that was accepted is lost, and most of the peak goes on. */
export async function overload(bench: Bench): Promise<Row[]> {
  return withWorld(bench, "overload", async (world) => {
    const app = await startApp(bench, "ingress", world.env);
    const load = await startWorker("httpLoad.ts");
    try {
      return [await measure(bench, world, { app, load })];
    } finally {
      await Promise.all([load.stop(), app.stop()]);
    }
  });
}

interface Run {
  readonly app: App;
  readonly load: Worker;
}

async function measure(bench: Bench, world: World, { app, load }: Run): Promise<Row> {
  const task = {
    apiKey: world.apiKey,
    series: { operation: "upsertContact", batch: BATCH, bodies: BODIES, firstContact: 0 },
  } as const;
  const closed = { ...task, connections: CONNECTIONS, seconds: bench.seconds };
  await httpStretch(load, app, closed);
  const peaks: Stretch[] = [await httpStretch(load, app, closed)];
  const offered = (TIMES_PEAK * toFigures(peaks).eventsPerSecond) / BATCH;
  bench.say(`overload: offering ${Math.round(offered * BATCH).toLocaleString("en")} events/s`);
  const open = { ...task, connections: CONNECTIONS_OVERLOAD, seconds: bench.seconds * 2, requestsPerSecond: offered };
  const cpuBefore = app.cpuSeconds();
  const result = await load.run({ ...open, port: app.port, keepsRequestIds: true }, httpLoadResult);
  const cpuSeconds = app.cpuSeconds() - cpuBefore;
  // The machine may have changed meanwhile: the peak is taken on both sides.
  peaks.push(await httpStretch(load, app, closed));
  await refuseLosses(bench, result);
  const accepted = result.statuses.get(ACCEPTED) ?? 0;
  const stretch = { ...result, events: accepted * BATCH, cpuSeconds, generatorCpuSeconds: result.cpuSeconds };
  return toRow(toFigures([stretch], app.peakMemoryMib()), toFigures(peaks), result);
}

function toRow(ours: Figures, peak: Figures, result: HttpLoadResult): Row {
  const ratio = ours.eventsPerSecond / peak.eventsPerSecond;
  const refused = REFUSALS.map((status) => `${result.statuses.get(status) ?? 0} answers of ${status}`).join(", ");
  return {
    path: "overload",
    what: "twice the peak offered, batches of 100",
    ours,
    limits: [{ name: "its own peak", figures: peak, ratio }],
    aim: atLeast(ratio, AIM_RATIO, "of the peak"),
    notes: [
      `all ${result.requestIds.length} accepted requests are in the log, each record once`,
      `${refused}, all with Retry-After; ${result.unsent} requests found all ${CONNECTIONS_OVERLOAD} connections busy`,
    ],
  };
}

/** @throws Error when an accepted record is missing or doubled, or an answer was none that overload may have. */
async function refuseLosses({ services }: Bench, result: HttpLoadResult): Promise<void> {
  const others = [...result.statuses.keys()].filter((status) => status !== ACCEPTED && !REFUSALS.includes(status));
  if (others.length > 0 || result.withoutRetryAfter > 0 || result.broken > 0) {
    const { statuses, withoutRetryAfter, broken } = result;
    throw new Error(`overload: ${JSON.stringify({ statuses: [...statuses], withoutRetryAfter, broken })}`);
  }
  const logged = await countByRequest(services.kafkaBrokers);
  const wrong = result.requestIds.filter((id) => {
    const places = logged.get(id);
    return places?.some((count) => count !== 1) ?? true;
  });
  if (wrong.length > 0) throw new Error(`${wrong.length} accepted requests are not in the log once, as ${wrong[0]}`);
}

/** Counts how often each record of every request is in the log, by its index. */
async function countByRequest(brokers: string): Promise<Map<string, Uint8Array>> {
  const logged = new Map<string, Uint8Array>();
  await readTopic(brokers, INTAKE_TOPIC, (messages) => {
    for (const { id } of messages.flatMap(({ value }) => parseFrame(value).records)) {
      const [request = "", index = ""] = id.split(":");
      const places = logged.get(request) ?? new Uint8Array(BATCH);
      places[Number(index)] = (places[Number(index)] ?? 0) + 1;
      logged.set(request, places);
    }
    return true;
  });
  return logged;
}
