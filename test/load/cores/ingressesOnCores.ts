import { httpStretch } from "../measure/httpStretch.ts";
import { findStores, readStoreUsage, usageSince } from "../measure/storeUsage.ts";
import type { Stretch } from "../measure/tally.ts";
import { takeTurns } from "../measure/turns.ts";
import { type App, startApp } from "../processes/app.ts";
import { startWorker, type Worker } from "../processes/worker.ts";
import type { Row } from "../report/row.ts";
import type { Bench } from "../world/services.ts";
import { type World, withWorld } from "../world/world.ts";
import { pin } from "./affinity.ts";
import { arrangements, type Located, nameOf } from "./arrangements.ts";
import { toRows } from "./toRows.ts";

const SERIES = { operation: "upsertContact", batch: 100, bodies: 400 } as const;
const CONNECTIONS = 16;

/** An ingress and the load of its own. */
interface Pair {
  readonly ingress: App;
  readonly load: Worker;
}

/** Batches of 100 contacts until the log has acknowledged them, by one ingress and several, each on its port. */
export async function ingressesOnCores(bench: Bench): Promise<Row[]> {
  return withWorld(bench, "cores", async (world) => {
    const located = arrangements();
    const pairs: Pair[] = [];
    try {
      while (pairs.length < Math.max(...located.map(({ processes }) => processes))) {
        pairs.push({ ingress: await startApp(bench, "ingress", world.env), load: await startWorker("httpLoad.ts") });
      }
      const sides = located.map((arrangement) => ({
        name: nameOf("ingress", arrangement),
        stretch: () => stretchOf(bench, world, { arrangement, pairs: pairs.slice(0, arrangement.processes) }),
      }));
      const turns = await takeTurns(bench, "cores", sides);
      const measured = located.map((arrangement, index) => ({ arrangement, stretches: turns[index] ?? [] }));
      return toRows("batches of 100 contacts", "ingress", measured);
    } finally {
      await Promise.all(pairs.flatMap(({ ingress, load }) => [load.stop(), ingress.stop()]));
    }
  });
}

interface Arranged {
  readonly arrangement: Located;
  readonly pairs: readonly Pair[];
}

async function stretchOf(bench: Bench, world: World, { arrangement, pairs }: Arranged): Promise<Stretch> {
  await pin([...Object.values(findStores(bench)), ...pairs.map(({ ingress }) => ingress.pid)], arrangement.own);
  await pin(
    pairs.map(({ load }) => load.pid),
    arrangement.ofLoad,
  );
  const before = readStoreUsage(bench);
  const stretches = await Promise.all(
    pairs.map(({ ingress, load }, position) =>
      httpStretch(load, ingress, {
        apiKey: world.apiKey,
        series: { ...SERIES, firstContact: position * SERIES.batch * SERIES.bodies },
        connections: CONNECTIONS,
        seconds: bench.seconds,
      }),
    ),
  );
  return { ...together(stretches), stores: usageSince(before, readStoreUsage(bench)) };
}

/** Stretches that went on at the same time, as one. */
function together(stretches: readonly Stretch[]): Stretch {
  const sum = (of: (stretch: Stretch) => number | undefined) =>
    stretches.reduce((total, stretch) => total + (of(stretch) ?? 0), 0);
  return {
    events: sum(({ events }) => events),
    seconds: Math.max(...stretches.map(({ seconds }) => seconds)),
    cpuSeconds: sum(({ cpuSeconds }) => cpuSeconds),
    generatorCpuSeconds: sum(({ generatorCpuSeconds }) => generatorCpuSeconds),
    latenciesMs: Float32Array.from(stretches.flatMap(({ latenciesMs }) => [...(latenciesMs ?? [])])),
  };
}
