import { serviceStretch } from "../measure/serviceStretch.ts";
import { type Stretch, toFigures } from "../measure/tally.ts";
import { takeTurns } from "../measure/turns.ts";
import { besideBare } from "../report/besideBare.ts";
import { atLeast, atMost, type Row } from "../report/row.ts";
import { readCalls } from "../service/readCalls.ts";
import { ordersOf } from "../service/seedState.ts";
import type { Bench } from "../world/services.ts";
import type { World } from "../world/world.ts";
import type { ServiceTargets } from "./serviceTargets.ts";

const CONNECTIONS = 64;
const OK = 200;
const AIM_RATIO = 0.7;
const OPEN_PER_SECOND = 1_000;
const AIM_P99_MS = 10;

/** One contact, order or record by its key: as fast as answers come, then a thousand a second. */
export async function reads(bench: Bench, world: World, targets: ServiceTargets): Promise<Row[]> {
  const rows: Row[] = [];
  for (const call of readCalls) rows.push(...(await oneRead(bench, world, { ...targets, call })));
  return rows;
}

type Run = ServiceTargets & { readonly call: (typeof readCalls)[number] };

async function oneRead(bench: Bench, world: World, run: Run): Promise<Row[]> {
  const { load, ours, sql, alone, call, contacts } = run;
  const numbers = { from: 1, count: ordersOf({ count: contacts }) };
  const calls = { templates: [{ method: "GET" as const, path: call.path }], numbers, status: OK };
  const closed = { apiKey: world.apiKey, calls, connections: CONNECTIONS, seconds: bench.seconds };
  const open = { ...closed, requestsPerSecond: OPEN_PER_SECOND };
  const [mine = [], bare = [], empty = [], ...steady] = await takeTurns(bench, `GET ${call.name}`, [
    { name: "ours", stretch: () => serviceStretch(load, ours, closed) },
    { name: "bare SQL", isLimit: true, stretch: () => serviceStretch(load, sql, closed) },
    { name: "Fastify alone", isLimit: true, stretch: () => serviceStretch(load, alone, closed) },
    { name: "ours at 1,000/s", stretch: () => serviceStretch(load, ours, open) },
    { name: "bare SQL at 1,000/s", isLimit: true, stretch: () => serviceStretch(load, sql, open) },
    { name: "Fastify alone at 1,000/s", isLimit: true, stretch: () => serviceStretch(load, alone, open) },
  ]);
  const memory = run.app.peakMemoryMib();
  const [mineSteady = [], bareSteady = [], emptySteady = []] = steady;
  return [
    closedRow(call.name, { mine, bare, empty }, memory),
    openRow(call.name, { mine: mineSteady, bare: bareSteady, empty: emptySteady }, memory),
  ];
}

interface Turns {
  readonly mine: readonly Stretch[];
  readonly bare: readonly Stretch[];
  readonly empty: readonly Stretch[];
}

function closedRow(name: string, { mine, bare, empty }: Turns, memoryMib: number): Row {
  const ours = toFigures(mine, memoryMib);
  const beside = [
    { name: "bare SQL, Fastify and pg", figures: toFigures(bare) },
    { name: "Fastify alone", figures: toFigures(empty) },
  ];
  const row = besideBare({ path: "reads", what: `GET one ${name}`, ours, beside });
  return { ...row, aim: atLeast(row.limits[0]?.ratio ?? 0, AIM_RATIO, "of the bare query") };
}

/**
 * Builds the row of the open loop. The slowest answers of Fastify alone are the machine's: system calls, and other processes on its cores.
 */
function openRow(name: string, { mine, bare, empty }: Turns, memoryMib: number): Row {
  const ours = toFigures(mine, memoryMib);
  const p99Ms = ours.p99Ms ?? Number.POSITIVE_INFINITY;
  const beside = (what: string, turns: readonly Stretch[]) => {
    const figures = toFigures(turns);
    return { name: `${what}, p99 by p99`, figures, ratio: p99Ms / (figures.p99Ms ?? Number.NaN) };
  };
  return {
    path: "reads",
    what: `GET one ${name}, 1,000/s`,
    ours,
    limits: [beside("bare SQL", bare), beside("Fastify alone", empty)],
    aim: atMost(p99Ms, AIM_P99_MS, "ms p99"),
  };
}
