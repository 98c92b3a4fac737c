import { setTimeout as sleep } from "node:timers/promises";
import { type Stretch, toFigures } from "../measure/tally.ts";
import { median } from "../measure/times.ts";
import { atMost, type Row } from "../report/row.ts";
import type { Bench } from "../world/services.ts";
import type { World } from "../world/world.ts";
import { probeUntil } from "./visibilityProbe.ts";
import { findCapacity, loadSteadily, type WholeWay, withWholeWay } from "./wholeWay.ts";

const APPS = ["ingress", "projector", "service"] as const;
type AppName = (typeof APPS)[number];
/** Points of the curve: each is as far from the next as one measurement takes. */
const POINTS = 30;
const CHECKS_PER_POINT = 20;
const AIM_MIB = 400;

/** Memory of each process while everything runs at half of what this machine can do, as a curve. */
export async function memory(bench: Bench): Promise<Row[]> {
  return withWholeWay(bench, "memory", (world, way) => measure(bench, world, way));
}

async function measure(bench: Bench, world: World, way: WholeWay): Promise<Row[]> {
  const eventsPerSecond = bench.rate ?? (await findCapacity(bench, world, way)) / 2;
  const seconds = bench.seconds * POINTS;
  bench.say(`memory: ${Math.round(eventsPerSecond).toLocaleString("en")} events/s for ${Math.round(seconds)} s`);
  const loading = loadSteadily(world, way, { eventsPerSecond, seconds });
  const probing = probeUntil(loading, { world, ingressPort: way.ingress.port, servicePort: way.service.port });
  // It is awaited behind the curve, and may fail before.
  probing.catch(() => undefined);
  const curves = await watch(bench, way);
  await probing;
  const loaded = await loading;
  return APPS.map((name) => toRow(name, { curve: curves[name], loaded, bench }));
}

/** Returns MiB in RAM by process, the most of each stretch of time. */
async function watch(bench: Bench, way: WholeWay): Promise<Record<AppName, number[]>> {
  const curves: Record<AppName, number[]> = { ingress: [], projector: [], service: [] };
  for (let point = 0; point < POINTS; point++) {
    const checks: Record<AppName, number[]> = { ingress: [], projector: [], service: [] };
    for (let check = 0; check < CHECKS_PER_POINT; check++) {
      await sleep((bench.seconds * 1_000) / CHECKS_PER_POINT);
      for (const name of APPS) checks[name].push(way[name].memoryMib());
    }
    for (const name of APPS) curves[name].push(Math.max(...checks[name]));
    bench.say(
      `memory, ${point + 1} of ${POINTS}: ${APPS.map((name) => `${name} ${last(curves[name])}`).join(", ")} MiB`,
    );
  }
  return curves;
}

const last = (curve: readonly number[]) => Math.round(curve.at(-1) ?? Number.NaN);

interface Curve {
  readonly curve: readonly number[];
  readonly loaded: Stretch;
  readonly bench: Bench;
}

function toRow(name: AppName, { curve, loaded, bench }: Curve): Row {
  const third = Math.floor(curve.length / 3);
  const [middle, end] = [median(curve.slice(third, -third)), median(curve.slice(-third))];
  const most = Math.max(...curve);
  return {
    path: "memory",
    what: `${name}, at half load`,
    ours: toFigures([loaded], most),
    limits: [],
    aim: atMost(most, AIM_MIB, "MiB"),
    notes: [
      `most in each ${bench.seconds} s, MiB: ${curve.map(Math.round).join(" ")}`,
      `median of the last third ${Math.round(end)} MiB, of the one before ${Math.round(middle)} (${(end / middle).toFixed(2)})`,
    ],
  };
}
