import { CONTACTS, seedSearch } from "../audience/seed.ts";
import { postgresPidOf } from "../measure/serviceStretch.ts";
import { startApp } from "../processes/app.ts";
import { startWorker, type Worker } from "../processes/worker.ts";
import type { Row } from "../report/row.ts";
import { readAnswers } from "../service/readCalls.ts";
import { seedState } from "../service/seedState.ts";
import { sizesOfWrites } from "../service/writeSizes.ts";
import { type BareServiceTask, servedAt } from "../tasks/bareServiceTask.ts";
import type { Bench } from "../world/services.ts";
import { type World, withWorld } from "../world/world.ts";
import type { PathName } from "./names.ts";
import { pages } from "./pages.ts";
import { reads } from "./reads.ts";
import { searches } from "./searches.ts";
import type { ServiceTargets } from "./serviceTargets.ts";
import { writes } from "./writes.ts";

/** Point reads and writes alone need no million. */
const FEWER_CONTACTS = 200_000;
const searchPaths: readonly PathName[] = ["pages", "searches"];

const parts = { reads, pages, searches, writes } as const;
const partNames = ["reads", "pages", "searches", "writes"] as const;

/** Calls of `/v2` next to the bare query, in one world. */
export async function serviceCalls(bench: Bench, wanted: readonly PathName[]): Promise<Row[]> {
  const isSearched = searchPaths.some((path) => wanted.includes(path));
  return withWorld(bench, "service", async (world) => {
    const contacts = isSearched ? CONTACTS : FEWER_CONTACTS;
    bench.say(`service: making ${contacts.toLocaleString("en")} contacts`);
    if (isSearched) await seedSearch(world);
    await seed(bench, world, contacts);
    return withTargets(bench, world, { contacts }, async (targets) => {
      const rows: Row[] = [];
      for (const name of partNames) if (wanted.includes(name)) rows.push(...(await parts[name](bench, world, targets)));
      return rows;
    });
  });
}

/** The service that makes the first rows plans its statements for empty tables: the one that is measured starts after it. */
async function seed(bench: Bench, world: World, count: number): Promise<void> {
  const maker = await startApp(bench, "service", world.env);
  try {
    await seedState(world, { servicePort: maker.port, count });
  } finally {
    await maker.stop();
  }
}

async function withTargets<Result>(
  bench: Bench,
  world: World,
  { contacts }: Pick<ServiceTargets, "contacts">,
  run: (targets: ServiceTargets) => Promise<Result>,
): Promise<Result> {
  const app = await startApp(bench, "service", world.env);
  const [sql, alone, load] = await Promise.all([
    startWorker("bareService.ts"),
    startWorker("bareService.ts"),
    startWorker("httpLoad.ts"),
  ]);
  try {
    const postgresPid = await postgresPidOf(world);
    const sizes = await sizesOfWrites(world);
    const url = world.env.POSTGRES_URL ?? "";
    return await run({
      app,
      contacts,
      load,
      ours: { pid: app.pid, port: app.port, postgresPid },
      sql: {
        pid: sql.pid,
        postgresPid,
        ...(await begin(sql, { kind: "sql", url, account: world.account.number, sizes })),
      },
      alone: { pid: alone.pid, ...(await begin(alone, { kind: "alone", answers: await readAnswers(world, app) })) },
    });
  } finally {
    await Promise.all([load.stop(), sql.stop(), alone.stop(), app.stop()]);
  }
}

function begin(worker: Worker, task: BareServiceTask): Promise<{ port: number }> {
  return worker.run(task, servedAt);
}
