import { HeadwaterError, type Logger } from "@headwater/kernel";
import { isLostRace, pauseAfterRace } from "@headwater/state";
import { type Postgres, postgresFailure } from "@headwater/stores";
import { applyBatch, type BatchResult, BrokenRecord, DryRun } from "./applyBatch.ts";
import type { StateBatch } from "./stateBatch.ts";

const RACES_MAX = 50;
/** A record that alone, with nobody else's rows in the batch, loses so many in a row is raced by nobody: it breaks on itself. */
const RACES_ALONE_MAX = 5;
/** When more of a batch breaks than this share, it is not the records that are wrong. */
const BROKEN_SHARE_MAX = 0.01;

export interface RunContext {
  readonly postgres: Postgres;
  readonly logger: Logger;
  heartbeat(): void;
}

/**
 * Applies a batch whatever it holds: races are run again, and a record that breaks it is refused alone.
 * @throws HeadwaterError, retriable, when Postgres is away; not retriable when too much of the batch is broken.
 */
export async function runBatch(context: RunContext, batch: StateBatch): Promise<BatchResult> {
  const refused = new Set<number>();
  let cause: unknown;
  for (let races = 0; races < RACES_MAX; ) {
    context.heartbeat();
    try {
      return await applyBatch(context.postgres, batch, { refused, dryRun: false });
    } catch (error) {
      if (!isLostRace(error)) {
        await refuseCulprits(context, batch, { refused, error });
        continue;
      }
      races++;
      cause = error;
      if (races === RACES_MAX && (await refuseRacers(context, batch, { refused, error }))) races = 0;
      else await pauseAfterRace(races);
    }
  }
  throw new HeadwaterError({
    code: "SERVICE_UNAVAILABLE",
    status: 503,
    publicMessage: `A batch lost ${RACES_MAX} races for its rows.`,
    retriable: true,
    cause,
  });
}

interface Failure {
  readonly refused: Set<number>;
  readonly error: unknown;
}

/** Refuses records that lose races by themselves: else they would stop their partition for ever. @returns whether there were any. */
async function refuseRacers(context: RunContext, batch: StateBatch, { refused, error }: Failure): Promise<boolean> {
  const culprits = await findCulprits(context, batch, refused);
  refuse(context, batch, { refused, error, culprits });
  return culprits.length > 0;
}

async function refuseCulprits(context: RunContext, batch: StateBatch, { refused, error }: Failure): Promise<void> {
  if (error instanceof HeadwaterError) throw error;
  if (postgresFailure(error) === "timeout") throw slow(error);
  const culprits = error instanceof BrokenRecord ? [error.index] : await findCulprits(context, batch, refused);
  // Whoever is left out, the batch fails: it is none of them.
  if (culprits.length === 0) throw error;
  refuse(context, batch, { refused, error, culprits });
}

function refuse(
  context: RunContext,
  batch: StateBatch,
  { refused, error, culprits }: Failure & { readonly culprits: readonly number[] },
): void {
  for (const index of culprits) {
    refused.add(index);
    const record = batch.records[index];
    const cause = error instanceof BrokenRecord ? error.cause : error;
    context.logger.error(
      { err: cause, recordId: record?.record.id, operation: record?.operation.name },
      "a record is refused as INTERNAL_ERROR: a defect of ours",
    );
  }
  if (refused.size > Math.max(1, batch.records.length * BROKEN_SHARE_MAX)) throw tooManyBroken(refused.size, error);
}

/** Records that Postgres refuses, found by trials of halves that are rolled back; of those that it refuses together the last. */
async function findCulprits(context: RunContext, batch: StateBatch, refused: ReadonlySet<number>): Promise<number[]> {
  const breaks = async (from: number, to: number): Promise<number[]> => {
    context.heartbeat();
    if (!(await fails(context, batch, { refused, from, to }))) return [];
    if (to - from === 1) return [from];
    const middle = (from + to) >> 1;
    return [...(await breaks(from, middle)), ...(await breaks(middle, to))];
  };
  const alone = (await breaks(0, batch.records.length)).filter((index) => !refused.has(index));
  return alone.length > 0 ? alone : lastOfBreaking(context, batch, refused);
}

/** The record that breaks the batch together with those before it. None when it breaks without any record at all. */
async function lastOfBreaking(context: RunContext, batch: StateBatch, refused: ReadonlySet<number>): Promise<number[]> {
  const breaks = (to: number) => fails(context, batch, { refused, from: 0, to });
  if (await breaks(0)) return [];
  let [passes, fewest] = [0, batch.records.length];
  while (fewest - passes > 1) {
    context.heartbeat();
    const middle = (passes + fewest) >> 1;
    if (await breaks(middle)) fewest = middle;
    else passes = middle;
  }
  return refused.has(fewest - 1) ? [] : [fewest - 1];
}

interface Trial {
  readonly refused: ReadonlySet<number>;
  readonly from: number;
  readonly to: number;
}

/** Whether the batch fails when only the records from..to of it are folded; of races when it loses all of several. */
async function fails(context: RunContext, batch: StateBatch, { refused, from, to }: Trial): Promise<boolean> {
  const others = new Set(refused);
  for (let index = 0; index < batch.records.length; index++) if (index < from || index >= to) others.add(index);
  for (let races = 1; races <= RACES_ALONE_MAX; races++) {
    try {
      await applyBatch(context.postgres, batch, { refused: others, dryRun: true });
      return false;
    } catch (error) {
      if (error instanceof DryRun) return false;
      if (error instanceof HeadwaterError) throw error;
      if (!isLostRace(error)) return true;
    }
    context.heartbeat();
    await pauseAfterRace(races);
  }
  return true;
}

function slow(cause: unknown): HeadwaterError {
  const publicMessage = "Postgres takes longer than a statement may.";
  return new HeadwaterError({ code: "SERVICE_UNAVAILABLE", status: 503, publicMessage, retriable: true, cause });
}

function tooManyBroken(count: number, cause: unknown): HeadwaterError {
  const publicMessage = `${count} records of one batch cannot be applied: not the records are wrong.`;
  return new HeadwaterError({ code: "INTERNAL_ERROR", status: 500, publicMessage, cause });
}
