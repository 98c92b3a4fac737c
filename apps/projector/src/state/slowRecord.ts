import { pauseAfterConflict } from "@headwater/projection";
import { type Postgres, postgresFailure } from "@headwater/stores";
import { applyBatch } from "./applyBatch.ts";
import { DryRun } from "./batchBounds.ts";
import type { StateBatch } from "./stateBatch.ts";

export interface TrialContext {
  readonly postgres: Postgres;
  heartbeat(): void;
}

/** A record is slow when it is so each time, and all before it pass each time. */
const TRIALS = 3;
/** Shorter than a statement may take: who waits for another one's lock is told apart from who is slow. */
const LOCK_TIMEOUT_MS = 1_000;

/**
 * Finds the record by which a frame takes longer than Postgres lets a statement take, by trials that are rolled back: the first that is
 * ended with all before it, while these alone pass. Undefined when Postgres is slow for others too, or a lock is waited for.
 */
export async function findSlowRecord(
  context: TrialContext,
  batch: StateBatch,
  refused: ReadonlySet<number>,
): Promise<number | undefined> {
  const count = batch.records.length;
  let [passes, fewest] = [0, count];
  if ((await tryUpTo(context, batch, { refused, to: count })) !== "slow") return undefined;
  while (fewest - passes > 1) {
    const middle = (passes + fewest) >> 1;
    const result = await tryUpTo(context, batch, { refused, to: middle });
    if (result === "waits") return undefined;
    if (result === "slow") fewest = middle;
    else passes = middle;
  }
  for (let trial = 0; trial < TRIALS; trial++) {
    await pauseAfterConflict(trial);
    if ((await tryUpTo(context, batch, { refused, to: fewest - 1 })) !== "passes") return undefined;
    if ((await tryUpTo(context, batch, { refused, to: fewest })) !== "slow") return undefined;
  }
  return refused.has(fewest - 1) ? undefined : fewest - 1;
}

interface Trial {
  readonly refused: ReadonlySet<number>;
  /** The records before this one are folded. */
  readonly to: number;
}

/** @throws what is neither slowness nor a wait: the caller's next attempt meets it again. */
async function tryUpTo(
  { postgres, heartbeat }: TrialContext,
  batch: StateBatch,
  { refused, to }: Trial,
): Promise<"passes" | "slow" | "waits"> {
  heartbeat();
  const left = new Set(refused);
  for (let index = to; index < batch.records.length; index++) left.add(index);
  try {
    await applyBatch(postgres, batch, {
      refused: left,
      recordsAtOnce: 1,
      isOutOfAttributes: true,
      dryRun: true,
      lockTimeoutMs: LOCK_TIMEOUT_MS,
    });
    return "passes";
  } catch (error) {
    if (error instanceof DryRun) return "passes";
    const failure = postgresFailure(error);
    if (failure === "timeout") return "slow";
    if (failure === "conflict") return "waits";
    throw error;
  }
}
