import { serviceStretch } from "../measure/serviceStretch.ts";
import { toFigures } from "../measure/tally.ts";
import { takeTurns } from "../measure/turns.ts";
import { NUMBER_POSITION } from "../records/numberedCalls.ts";
import { besideBare } from "../report/besideBare.ts";
import type { Row } from "../report/row.ts";
import { type WriteCall, writeCalls } from "../service/writeCalls.ts";
import type { Bench } from "../world/services.ts";
import type { World } from "../world/world.ts";
import type { ServiceTargets } from "./serviceTargets.ts";

const CONNECTIONS = 32;
/** Numbers that one stretch may use up; each stretch takes the next ones. */
const NUMBERS = 400_000;
const FIRST_NEW = 10_000_000;
const CREATED = 201;

/** Single writes with their change record and receipt, next to transactions by hand of as many rows. All are durable when they are answered. */
export async function writes(bench: Bench, world: World, targets: ServiceTargets): Promise<Row[]> {
  const rows: Row[] = [];
  for (const write of writeCalls()) rows.push(await oneWrite(bench, world, { ...targets, write }));
  return rows;
}

type Run = ServiceTargets & { readonly write: WriteCall };

async function oneWrite(bench: Bench, world: World, { write, load, ours, sql, app, contacts }: Run): Promise<Row> {
  let next = FIRST_NEW;
  const newNumbers = () => {
    const from = next;
    next += NUMBERS;
    return { from, count: NUMBERS };
  };
  const task = { apiKey: world.apiKey, connections: CONNECTIONS, seconds: bench.seconds };
  // A turn works for `seconds`, or a little less.
  const turns = bench.rounds + Math.ceil(bench.warmSeconds / bench.seconds) + 1;
  const share = Math.floor(contacts / turns);
  let nextSeeded = 1;
  const seeded = () => {
    const from = nextSeeded;
    nextSeeded += share;
    return { from, count: share };
  };
  const mineTask = () => {
    const numbers = write.isAboutSeeded ? seeded() : newNumbers();
    return { ...task, calls: { templates: [write.call], numbers, status: write.status } };
  };
  const bareCall = { method: "POST" as const, path: `/writes/${write.bare}/${NUMBER_POSITION}` };
  const bareTask = () => ({ ...task, calls: { templates: [bareCall], numbers: newNumbers(), status: CREATED } });
  const [mine = [], bare = []] = await takeTurns(bench, write.name, [
    { name: "ours", stretch: () => serviceStretch(load, ours, mineTask()) },
    { name: "bare SQL", isLimit: true, stretch: () => serviceStretch(load, sql, bareTask()) },
  ]);
  const beside = [{ name: "as many rows in one transaction by hand", figures: toFigures(bare) }];
  return besideBare({ path: "writes", what: write.name, ours: toFigures(mine, app.peakMemoryMib()), beside });
}
