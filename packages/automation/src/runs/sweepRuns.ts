import type { Transaction } from "@headwater/postgres/connection/session";
import { purge } from "../orchestrations/postgres.ts";
import { isLive } from "../orchestrations/run.ts";
import { failRun, type MovePorts, moveTogether } from "./moveTogether.ts";
import { deleteEntries } from "./oldRuns.ts";
import { lockNextRuns, type StoredRun } from "./postgres.ts";
import { deleteCounts } from "./runCounts.ts";
import type { RunUnit } from "./runUnit.ts";
import { stepRuns, withJourneys } from "./storeUnit.ts";
import { claimSweep, moveSweep, type Sweep } from "./sweepRows.ts";

/** Runs that one transaction sweeps. */
const RUNS_AT_ONCE = 500;

/**
 * Takes the oldest sweep some runs further: where it is is stored with them, so a kill repeats nothing.
 * @returns whether there was one.
 */
export async function sweepRuns(ports: MovePorts): Promise<boolean> {
  const nowMs = ports.clock.nowMs();
  let sweep: Sweep | undefined;
  await moveTogether<StoredRun>(ports, {
    async claim(transaction) {
      sweep = await claimSweep(transaction);
      if (sweep === undefined) return [];
      const { account, orchestration, cursor: after } = sweep;
      return lockNextRuns(transaction, { account, orchestration, after, runsMax: RUNS_AT_ONCE });
    },
    work: (transaction, runs) =>
      stepRuns(transaction, { ...ports, nowMs }, async (unit) => {
        unit.add(await withJourneys(transaction, ports, runs));
        if (sweep === undefined) return;
        const sweeping = { transaction, unit, sweep, ports, nowMs };
        for (const run of runs) if (isLive(run.run)) await sweepRun(sweeping, run);
      }),
    fail: (transaction, run) => failRun(transaction, run, ports),
    // The sweep goes on behind the run.
    takeAway: async () => undefined,
    runOf: (run) => run,
    async end(transaction, runs) {
      if (sweep === undefined) return;
      const isLast = runs.length < RUNS_AT_ONCE;
      const isOver = isLast && !(sweep.kind === "delete" && (await deleteEntries(transaction, sweep)));
      await moveSweep(transaction, sweep, isOver ? undefined : (runs.at(-1)?.id ?? sweep.cursor));
      if (!isOver || sweep.kind !== "delete") return;
      await purge(transaction, sweep);
      await deleteCounts(transaction, sweep);
    },
  });
  return sweep !== undefined;
}

interface Sweeping {
  readonly transaction: Transaction;
  readonly unit: RunUnit;
  readonly sweep: Sweep;
  readonly ports: MovePorts;
  readonly nowMs: number;
}

async function sweepRun({ transaction, unit, sweep, ports, nowMs }: Sweeping, stored: StoredRun): Promise<void> {
  const { kind, version, account, orchestration } = sweep;
  const { run } = stored;
  if (kind === "delete") {
    await unit.apply(stored, { kind: "exit", at: nowMs, reason: "deleted" });
    return;
  }
  if (kind === "wake") {
    // Nothing is due earlier than what the run has seen: it goes on with what came while it was disabled.
    unit.touch(stored);
    await unit.apply(stored, { kind: "time", at: run.at });
    return;
  }
  if (version === null) return;
  const [before, after] = await Promise.all(
    [run.version, version].map((one) => ports.journeys.version(transaction, { account, orchestration, version: one })),
  );
  const to = await ports.journeys.one(transaction, { account, orchestration, version });
  if (before === undefined || after?.migration === undefined || to === undefined) return;
  const migration = new Map(Object.entries(after.migration));
  await unit.migrate(stored, to, { migration, before: before.composition, at: nowMs });
}
