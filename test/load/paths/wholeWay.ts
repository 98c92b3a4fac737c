import { untilAllIsDone } from "../measure/progress.ts";
import type { Stretch } from "../measure/tally.ts";
import { type App, startApp } from "../processes/app.ts";
import { startWorker, type Worker } from "../processes/worker.ts";
import { type HttpLoadTask, httpLoadResult } from "../tasks/httpLoadTask.ts";
import { insertKnownContacts } from "../world/knownContacts.ts";
import type { Bench } from "../world/services.ts";
import { type World, withWorld } from "../world/world.ts";

const BATCH = 100;
const BODIES = 800;
const CONNECTIONS = 4;
/** Connections of the half load: it never waits for a free one. */
const CONNECTIONS_OPEN = 64;
const ACCEPTED = 202;

/** Processes of the whole way from HTTP into both stores, and those that load it. */
export interface WholeWay {
  readonly ingress: App;
  readonly projector: App;
  readonly service: App;
  readonly loads: { readonly contacts: Worker; readonly activities: Worker };
}

/** Runs the whole way on a world of its own, in which `BATCH * BODIES` contacts are known. */
export async function withWholeWay<Result>(
  bench: Bench,
  name: string,
  measure: (world: World, way: WholeWay) => Promise<Result>,
): Promise<Result> {
  return withWorld(bench, name, async (world) => {
    await insertKnownContacts(world, BATCH * BODIES);
    const [ingress, projector, service] = await Promise.all([
      startApp(bench, "ingress", world.env),
      startApp(bench, "projector", world.env),
      startApp(bench, "service", world.env),
    ]);
    const [contacts, activities] = await Promise.all([startWorker("httpLoad.ts"), startWorker("httpLoad.ts")]);
    const ended = [ingress, projector, service, contacts, activities];
    try {
      return await measure(world, { ingress, projector, service, loads: { contacts, activities } });
    } finally {
      await Promise.all(ended.map((one) => one.stop()));
    }
  });
}

/** Finds what all of it does: events per second from the first request until both stores have the last. */
export async function findCapacity(bench: Bench, world: World, way: WholeWay): Promise<number> {
  const startedAtMs = performance.now();
  const { events } = await loadBoth(world, way, {
    newContacts: BATCH * BODIES,
    connections: CONNECTIONS,
    seconds: bench.seconds,
  });
  await untilAllIsDone(bench, world);
  return (events * 1_000) / (performance.now() - startedAtMs);
}

/** Sends so many events a second in an open loop, half of them contacts; once in a world. */
export function loadSteadily(
  world: World,
  way: WholeWay,
  { eventsPerSecond, seconds }: { readonly eventsPerSecond: number; readonly seconds: number },
): Promise<Stretch> {
  return loadBoth(world, way, {
    newContacts: 2 * BATCH * BODIES,
    connections: CONNECTIONS_OPEN,
    seconds,
    requestsPerSecond: eventsPerSecond / 2 / BATCH,
  });
}

type Plan = Pick<HttpLoadTask, "connections" | "seconds" | "requestsPerSecond"> & {
  /** Number of the first contact that is new; those below it are known. */
  readonly newContacts: number;
};

/** New contacts, and activities of known ones. */
async function loadBoth(
  world: World,
  { ingress, loads: { contacts, activities } }: WholeWay,
  { newContacts, ...plan }: Plan,
): Promise<Stretch> {
  const series = { batch: BATCH, bodies: BODIES };
  const task = { ...plan, apiKey: world.apiKey, port: ingress.port };
  const results = await Promise.all([
    contacts.run(
      { ...task, series: { ...series, operation: "upsertContact", firstContact: newContacts } },
      httpLoadResult,
    ),
    activities.run(
      { ...task, series: { ...series, operation: "createContactactivities", firstContact: 0 } },
      httpLoadResult,
    ),
  ]);
  const accepted = results.reduce((sum, { statuses }) => sum + (statuses.get(ACCEPTED) ?? 0), 0);
  return { events: accepted * BATCH, seconds: Math.max(...results.map(({ seconds }) => seconds)) };
}
