import type { Transaction } from "@headwater/postgres/connection/session";
import type { Outcome } from "../orchestrations/run.ts";
import { loadContacts } from "./applyFacts.ts";
import { startCarts } from "./idleCarts.ts";
import { failRun, type MovePorts, moveTogether } from "./moveTogether.ts";
import { claimDueRuns, lockRuns, parkRuns, type StoredRun } from "./postgres.ts";
import { claimEndedSends, type EndedSend, resolveEndedSends } from "./sendRows.ts";
import { stepRuns, withJourneys } from "./storeUnit.ts";
import { type IdleCart, takeDueCarts } from "./triggerRows.ts";

/** Runs that one transaction moves: more would hold their rows, and those of their contacts, for too long. */
const RUNS_AT_ONCE = 500;

/**
 * Lets runs that are due go on. @param untilMs an instant from before which every fact was given to the runs.
 * @returns how many were due.
 */
export function moveDueRuns(ports: MovePorts, untilMs: number): Promise<number> {
  const nowMs = ports.clock.nowMs();
  return moveTogether<StoredRun>(ports, {
    claim: (transaction) => claimDueRuns(transaction, { untilMs, runsMax: RUNS_AT_ONCE }),
    work: (transaction, claimed) => moveClaimed(transaction, claimed, { ports, untilMs, nowMs }),
    fail: (transaction, run) => failRun(transaction, run, ports),
    takeAway: (transaction, run) => parkRuns(transaction, [run]),
    runOf: (run) => run,
  });
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

/**
 * Begins runs of carts that have stayed as they are. @param untilMs an instant from before which every change of carts was read.
 * @returns how many carts there were.
 */
export function startIdleCarts(ports: MovePorts, untilMs: number): Promise<number> {
  const nowMs = ports.clock.nowMs();
  const start = (transaction: Transaction, carts: readonly IdleCart[], isBroken = false) =>
    stepRuns(transaction, { ...ports, nowMs }, async (unit) => {
      const accounts = [...new Set(carts.map(({ account }) => account))];
      const starting = await ports.journeys.starting(transaction, accounts);
      const survivorOf = await loadContacts(transaction, unit, { contacts: carts, sinceMs: nowMs, nowMs }, ports);
      await startCarts(transaction, unit, { carts, survivorOf, starting, isBroken }, ports);
    });
  return moveTogether<IdleCart>(ports, {
    // Whoever takes a cart away has dealt with it.
    claim: (transaction) => takeDueCarts(transaction, { untilMs, cartsMax: RUNS_AT_ONCE }),
    work: start,
    fail: (transaction, cart) => start(transaction, [cart], true),
    takeAway: async () => undefined,
    runOf: ({ account, orchestration, contact }) => ({ account, id: `${orchestration}: cart of ${contact}` }),
  });
}

/** Lets runs go on whose send has ended. @returns how many sends had. */
export function moveAfterSends(ports: MovePorts): Promise<number> {
  const nowMs = ports.clock.nowMs();
  const keyOf = ({ account, run }: EndedSend) => ({ account, id: run ?? "" });
  return moveTogether<EndedSend>(ports, {
    claim: (transaction) => claimEndedSends(transaction, RUNS_AT_ONCE),
    work: (transaction, ended) =>
      stepRuns(transaction, { ...ports, nowMs }, async (unit) => {
        const keys = ended.flatMap((send) => (send.run === null ? [] : [keyOf(send)]));
        unit.add(await withJourneys(transaction, ports, await lockRuns(transaction, keys)));
        for (const send of ended) {
          const outcome = outcomeOf(send);
          if (send.run !== null && outcome !== undefined) await unit.apply(keyOf(send), outcome);
        }
        await resolveEndedSends(transaction, ended);
      }),
    fail: (transaction, send) => failRun(transaction, keyOf(send), ports),
    takeAway: (transaction, send) => resolveEndedSends(transaction, [send]),
    runOf: keyOf,
  });
}

/** One whose answer was lost may have arrived, and is not sent again: the run takes it for handed over. */
function outcomeOf({ effect, state, reason, at }: EndedSend): Outcome | undefined {
  if (effect === null) return undefined;
  const base = { kind: "outcome", effect, at } as const;
  if (state === "sent" || state === "unknown") return { ...base, result: "ok" };
  const why = reason === null ? {} : { reason };
  return { ...base, result: state === "skipped" ? "skipped" : "refused", ...why };
}
