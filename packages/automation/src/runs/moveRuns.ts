import { type Clock, classifyFailure } from "@headwater/kernel";
import type { Postgres } from "@headwater/postgres/connection/postgres";
import { withSavepoint } from "@headwater/postgres/connection/savepoint";
import type { Transaction } from "@headwater/postgres/connection/session";
import { retryOnConflict } from "@headwater/postgres/connection/writeConflict";
import type { Outcome } from "../orchestrations/run.ts";
import { loadContacts } from "./applyFacts.ts";
import { startCarts } from "./idleCarts.ts";
import { claimDueRuns, lockRuns, parkRuns, type RunKey, type StoredRun } from "./postgres.ts";
import { claimEndedSends, type EndedSend, resolveEndedSends } from "./sendRows.ts";
import { stepRuns, type UnitPorts, withJourneys } from "./storeUnit.ts";
import { takeDueCarts } from "./triggerRows.ts";

export interface MovePorts extends UnitPorts {
  readonly postgres: Postgres;
  readonly clock: Clock;
  /** Called for a run that cannot be stepped, with the error: a defect of ours. */
  readonly onBroken?: (run: RunKey, error: unknown) => void;
}

/** Runs that one transaction moves: more would hold their rows, and those of their contacts, for too long. */
const RUNS_AT_ONCE = 500;

/**
 * Lets runs that are due go on. @param untilMs an instant from before which every fact was given to the runs.
 * @returns how many were due.
 */
export async function moveDueRuns(ports: MovePorts, untilMs: number): Promise<number> {
  const nowMs = ports.clock.nowMs();
  const inOne = (work: (transaction: Transaction, claimed: readonly StoredRun[]) => Promise<void>) =>
    retryOnConflict(() =>
      ports.postgres.transaction(async (transaction) => {
        const claimed = await claimDueRuns(transaction, { untilMs, runsMax: RUNS_AT_ONCE });
        await work(transaction, claimed);
        return claimed.length;
      }),
    );
  const move = (transaction: Transaction, claimed: readonly StoredRun[]) =>
    moveClaimed(transaction, claimed, { ports, untilMs, nowMs });
  try {
    return await inOne(move);
  } catch (error) {
    if (classifyFailure(error) !== "poison") throw error;
    return inOne((transaction, claimed) => moveApart(transaction, claimed, { move, ports, nowMs }));
  }
}

interface Moving {
  readonly ports: MovePorts;
  readonly untilMs: number;
  readonly nowMs: number;
}

async function moveClaimed(
  transaction: Transaction,
  claimed: readonly StoredRun[],
  { ports, untilMs, nowMs }: Moving,
): Promise<void> {
  await stepRuns(transaction, { ...ports, nowMs }, async (unit) => {
    const runs = await withJourneys(transaction, ports, claimed);
    const known = new Set(runs.map(({ id }) => id));
    await parkRuns(
      transaction,
      claimed.filter(({ id }) => !known.has(id)),
    );
    unit.add(runs);
    for (const key of runs) {
      // Of a disabled orchestration nothing changes but that it is not due any more.
      unit.touch(key);
      await unit.apply(key, { kind: "time", at: untilMs });
    }
  });
}

interface Apart extends Pick<Moving, "ports" | "nowMs"> {
  move(transaction: Transaction, claimed: readonly StoredRun[]): Promise<void>;
}

/** Moves runs one by one after one of them broke the others. The one that breaks alone ends as failed: it holds nobody. */
async function moveApart(
  transaction: Transaction,
  claimed: readonly StoredRun[],
  { move, ports, nowMs }: Apart,
): Promise<void> {
  for (const run of claimed) {
    try {
      await withSavepoint(transaction, (part) => move(part, [run]));
    } catch (error) {
      if (classifyFailure(error) !== "poison") throw error;
      ports.onBroken?.(run, error);
      await stepRuns(transaction, { ...ports, nowMs }, async (unit) => {
        unit.add(await withJourneys(transaction, ports, [run]));
        await unit.fail(run, nowMs);
      });
    }
  }
}

/**
 * Begins runs of carts that have stayed as they are. @param untilMs an instant from before which every change of carts was read.
 * @returns how many carts there were.
 */
export function startIdleCarts(ports: MovePorts, untilMs: number): Promise<number> {
  const nowMs = ports.clock.nowMs();
  return retryOnConflict(() =>
    ports.postgres.transaction((transaction) =>
      stepRuns(transaction, { ...ports, nowMs }, async (unit) => {
        const carts = await takeDueCarts(transaction, { untilMs, cartsMax: RUNS_AT_ONCE });
        if (carts.length === 0) return 0;
        const accounts = [...new Set(carts.map(({ account }) => account))];
        const starting = await ports.journeys.starting(transaction, accounts);
        const survivorOf = await loadContacts(transaction, unit, { contacts: carts, sinceMs: nowMs, nowMs }, ports);
        await startCarts(transaction, unit, { carts, survivorOf, starting }, ports);
        return carts.length;
      }),
    ),
  );
}

/** Lets runs go on whose send has ended. @returns how many sends had. */
export function moveAfterSends(ports: MovePorts): Promise<number> {
  const nowMs = ports.clock.nowMs();
  return retryOnConflict(() =>
    ports.postgres.transaction((transaction) =>
      stepRuns(transaction, { ...ports, nowMs }, async (unit) => {
        const ended = await claimEndedSends(transaction, RUNS_AT_ONCE);
        const keys = ended.flatMap(({ account, run }) => (run === null ? [] : [{ account, id: run }]));
        unit.add(await withJourneys(transaction, ports, await lockRuns(transaction, keys)));
        for (const send of ended) {
          const { account, run } = send;
          const outcome = outcomeOf(send);
          if (run !== null && outcome !== undefined) await unit.apply({ account, id: run }, outcome);
        }
        await resolveEndedSends(transaction, ended);
        return ended.length;
      }),
    ),
  );
}

/** One whose answer was lost may have arrived, and is not sent again: the run takes it for handed over. */
function outcomeOf({ effect, state, reason, at }: EndedSend): Outcome | undefined {
  if (effect === null) return undefined;
  const base = { kind: "outcome", effect, at } as const;
  if (state === "sent" || state === "unknown") return { ...base, result: "ok" };
  const why = reason === null ? {} : { reason };
  return { ...base, result: state === "skipped" ? "skipped" : "refused", ...why };
}
