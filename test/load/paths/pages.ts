import { z } from "zod";
import { LISTS } from "../audience/seed.ts";
import { serviceStretch } from "../measure/serviceStretch.ts";
import { toFigures } from "../measure/tally.ts";
import { takeTurns } from "../measure/turns.ts";
import { besideBare } from "../report/besideBare.ts";
import { atLeast, type Row } from "../report/row.ts";
import type { PageName } from "../service/bareStatements.ts";
import { callService } from "../service/callService.ts";
import type { Bench } from "../world/services.ts";
import type { World } from "../world/world.ts";
import type { ServiceTargets } from "./serviceTargets.ts";

const PER_PAGE = 500;
/** Pages that are walked through and then asked for in turn. */
const PAGES = 16;
const CONNECTIONS = 8;
const OK = 200;
const AIM_RATIO = 0.8;
const pageAnswer = z.object({ data: z.array(z.unknown()), pagination: z.object({ next_cursor: z.string() }) });

interface PageCall {
  readonly name: PageName;
  readonly what: string;
  readonly path: string;
  /** Key of the last row before the nth page of the hand-written statement. */
  bareAfter(page: number, world: World): Promise<number> | number;
}

const pageCalls: readonly PageCall[] = [
  { name: "contacts", what: "contacts", path: "/v2/contacts?", bareAfter: (page) => page * PER_PAGE },
  {
    name: "members",
    what: "members of a list",
    path: `/v2/contacts?list=${LISTS[1]}&`,
    bareAfter: (page) => Math.round((page * PER_PAGE) / 0.4),
  },
  {
    name: "orders",
    what: "orders",
    path: "/v2/orders?",
    async bareAfter(page, { postgres }) {
      const [row] = await postgres.query<{ last: number }>({ text: "SELECT max(purchased_at) AS last FROM orders" });
      return (row?.last ?? 0) - page * PER_PAGE * 1_000;
    },
  },
];

/** Pages of 500, walked by their cursors, next to SQL that reads as many of the same rows. */
export async function pages(bench: Bench, world: World, targets: ServiceTargets): Promise<Row[]> {
  const rows: Row[] = [];
  for (const call of pageCalls) rows.push(await onePage(bench, world, { ...targets, call }));
  return rows;
}

type Run = ServiceTargets & { readonly call: PageCall };

async function onePage(bench: Bench, world: World, { call, ...targets }: Run): Promise<Row> {
  const { load, ours, sql, app } = targets;
  const taskOf = (paths: readonly string[]) => {
    const templates = paths.map((path) => ({ method: "GET" as const, path }));
    const calls = { templates, numbers: { from: 0, count: 1 }, status: OK };
    return { apiKey: world.apiKey, calls, connections: CONNECTIONS, seconds: bench.seconds };
  };
  const mineTask = taskOf(await walk(world, { port: ours.port, path: call.path }));
  const bareTask = taskOf(await barePaths(world, call));
  const [mine = [], bare = []] = await takeTurns(bench, `pages of ${call.what}`, [
    { name: "ours", stretch: () => serviceStretch(load, ours, mineTask) },
    { name: "bare SQL", isLimit: true, stretch: () => serviceStretch(load, sql, bareTask) },
  ]);
  const beside = [{ name: "bare SQL, Fastify and pg", figures: toFigures(bare) }];
  const what = `pages of ${PER_PAGE} ${call.what}`;
  const row = besideBare({ path: "pages", what, ours: toFigures(mine, app.peakMemoryMib()), beside });
  return { ...row, aim: atLeast(row.limits[0]?.ratio ?? 0, AIM_RATIO, "of the bare query") };
}

/** Paths of the first pages, each with the cursor that the one before it gave. */
async function walk(world: World, { port, path }: { readonly port: number; readonly path: string }): Promise<string[]> {
  const paths = [`${path}per_page=${PER_PAGE}`];
  while (paths.length < PAGES) {
    const { data, pagination } = pageAnswer.parse(await callService(world, { port, path: paths.at(-1) ?? "" }));
    if (data.length !== PER_PAGE) throw new Error(`${path}: a page of ${data.length}`);
    paths.push(`${path}per_page=${PER_PAGE}&cursor=${pagination.next_cursor}`);
  }
  return paths;
}

function barePaths(world: World, { name, bareAfter }: PageCall): Promise<string[]> {
  return Promise.all(
    Array.from(
      { length: PAGES },
      async (_, page) => `/pages/${name}?per_page=${PER_PAGE}&after=${await bareAfter(page, world)}`,
    ),
  );
}
