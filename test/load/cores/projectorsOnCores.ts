import { untilHistoryIsDone } from "../measure/progress.ts";
import { findStores } from "../measure/storeUsage.ts";
import type { Stretch } from "../measure/tally.ts";
import { workOff } from "../measure/workOff.ts";
import { type App, startApp } from "../processes/app.ts";
import type { Row } from "../report/row.ts";
import type { Bench } from "../world/services.ts";
import { type World, withWorld } from "../world/world.ts";
import { pin } from "./affinity.ts";
import { arrangements, type Located, nameOf } from "./arrangements.ts";
import { toRows } from "./toRows.ts";
import { watchWaits } from "./waits.ts";

/** Contacts that are filled in for each second and core: a stretch takes about as long on every number of cores. */
const CONTACTS_PER_CORE_SECOND = 7_000;

/** New contacts that the whole projector works off, one of it and several. */
export async function projectorsOnCores(bench: Bench): Promise<Row[]> {
  return withWorld(bench, "cores", async (world) => {
    const measured = arrangements().map((arrangement): MeasuredTurns => ({ arrangement, stretches: [], notes: [] }));
    let firstContact = 0;
    for (let round = 1; round <= bench.rounds; round++) {
      for (const { arrangement, stretches, notes } of measured) {
        const contacts = Math.ceil((bench.warmSeconds + bench.seconds) * CONTACTS_PER_CORE_SECOND * arrangement.cores);
        const { stretch, waits } = await turn(bench, world, { arrangement, firstContact, contacts });
        firstContact += contacts;
        stretches.push(stretch);
        notes.push(waits);
        const rate = Math.round(stretch.events / stretch.seconds).toLocaleString("en");
        bench.say(`cores, round ${round}, ${nameOf("projector", arrangement)}: ${rate}/s`);
      }
    }
    return toRows("new contacts, whole projector", "projector", measured);
  });
}

interface MeasuredTurns {
  readonly arrangement: Located;
  readonly stretches: Stretch[];
  readonly notes: string[];
}

interface Turn {
  readonly arrangement: Located;
  readonly firstContact: number;
  readonly contacts: number;
}

async function turn(bench: Bench, world: World, { arrangement, firstContact, contacts }: Turn) {
  const waits = watchWaits(world);
  const { stretch } = await workOff(bench, world, {
    filling: { operation: "upsertContact", records: contacts, firstContact, round: 0 },
    parts: undefined,
    start: (env) => startProjectors(bench, env, arrangement),
    afterwards: () => untilHistoryIsDone(bench, world),
  });
  return { stretch, waits: await waits.end() };
}

/** Starts projectors on their cores, with the stores, as one. */
async function startProjectors(bench: Bench, env: World["env"], { own, processes }: Located): Promise<App> {
  await pin(Object.values(findStores(bench)), own);
  const apps = await Promise.all(Array.from({ length: processes }, () => startApp(bench, "projector", env)));
  await pin(
    apps.map(({ pid }) => pid),
    own,
  );
  const [first] = apps;
  if (first === undefined) throw new Error("an arrangement has a process");
  const sum = (of: (app: App) => number) => apps.reduce((total, app) => total + of(app), 0);
  return {
    ...first,
    cpuSeconds: () => sum((app) => app.cpuSeconds()),
    memoryMib: () => sum((app) => app.memoryMib()),
    peakMemoryMib: () => sum((app) => app.peakMemoryMib()),
    stop: async () => void (await Promise.all(apps.map((app) => app.stop()))),
  };
}
