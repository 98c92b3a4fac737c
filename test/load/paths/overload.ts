import { httpStretch } from "../measure/httpStretch.ts";
import { type Figures, type Stretch, toFigures } from "../measure/tally.ts";
import { startApp } from "../processes/app.ts";
import { startWorker } from "../processes/worker.ts";
import { atLeast, type Row } from "../report/row.ts";
import { type HttpLoadResult, httpLoadResult } from "../tasks/httpLoadTask.ts";
import type { Bench } from "../world/services.ts";
import { withWorld } from "../world/world.ts";
import { ACCEPTED, BATCH, type Overloaded, REFUSALS, refuseLosses, taskOf } from "./overload/overloaded.ts";
import { sweepConnections } from "./overload/sweepConnections.ts";

/** Connections of the closed loop that finds the peak. */
const CONNECTIONS = 16;
/** Connections of the open loop: enough that no request waits for a free one while the ingress answers within seconds. */
const CONNECTIONS_OVERLOAD = 4_000;
const TIMES_PEAK = 2;
const AIM_RATIO = 0.9;

/** Twice what the ingress takes, whatever becomes of it: nothing that was accepted is lost, and most of the peak goes on. */
export async function overload(bench: Bench): Promise<Row[]> {
  return withWorld(bench, "overload", async (world) => {
    const app = await startApp(bench, "ingress", world.env);
    const load = await startWorker("httpLoad.ts");
    const overloaded = { bench, world, app, load };
    try {
      return [await measure(overloaded), ...(await sweepConnections(overloaded))];
    } finally {
      await Promise.all([load.stop(), app.stop()]);
    }
  });
}

async function measure({ bench, world, app, load }: Overloaded): Promise<Row> {
  const task = taskOf(world);
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
  await refuseLosses(bench, [result]);
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
