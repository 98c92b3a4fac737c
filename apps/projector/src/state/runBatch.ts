import { HeadwaterError, type Logger } from "@headwater/kernel";
import { isAttributesExceeded, isWriteConflict, pauseAfterConflict } from "@headwater/projection";
import type { Postgres } from "@headwater/stores";
import { isSystemicFault } from "../quarantine/systemicFault.ts";
import { applyBatch, type BatchResult } from "./applyBatch.ts";
import { BrokenRecord, DryRun, isTooMuch } from "./batchBounds.ts";
import { findSlowRecord } from "./slowRecord.ts";
import type { StateBatch } from "./stateBatch.ts";

const CONFLICTS_MAX = 50;
/** A record that alone, with nobody else's rows in the batch, loses so many in a row is raced by nobody: it breaks on itself. */
const RACES_ALONE_MAX = 5;

export interface RunContext {
  readonly postgres: Postgres;
  readonly logger: Logger;
  heartbeat(): void;
}

/** Of the records of a single frame that is too large: an eighth of them is loaded, folded and stored at once, in the same transaction. */
const FEWER = 8;

/**
 * Applies a batch whatever it holds: a batch that met a write conflict runs again, one that is too large is applied in parts, and a record that breaks it is
 * refused alone.
 * @throws HeadwaterError, retriable, when Postgres is away; not retriable when too much of the batch is broken.
 */
export async function runBatch(context: RunContext, batch: StateBatch): Promise<BatchResult> {
  const refused = new Set<number>();
  let recordsAtOnce = batch.records.length;
  let isOutOfAttributes = false;
  let cause: unknown;
  for (let conflicts = 0; conflicts < CONFLICTS_MAX; ) {
    context.heartbeat();
    try {
      return await applyBatch(context.postgres, batch, { refused, recordsAtOnce, isOutOfAttributes, dryRun: false });
    } catch (error) {
      if (isAttributesExceeded(error) && !isOutOfAttributes) {
        isOutOfAttributes = true;
        continue;
      }
      if (isTooMuch(error)) {
        const fewer = batch.firstFrames();
        if (fewer !== undefined) return runBatch(context, fewer);
        if (recordsAtOnce <= 1) await refuseSlow(context, batch, { refused, error });
        recordsAtOnce = Math.ceil(recordsAtOnce / FEWER);
        continue;
      }
      if (!isWriteConflict(error)) {
        await refuseCulprits(context, batch, { refused, error });
        continue;
      }
      conflicts++;
      cause = error;
      if (conflicts === CONFLICTS_MAX && (await refuseConflicting(context, batch, { refused, error }))) conflicts = 0;
      else await pauseAfterConflict(conflicts);
    }
  }
  throw new HeadwaterError({
    code: "SERVICE_UNAVAILABLE",
    status: 503,
    publicMessage: `The batch hit ${CONFLICTS_MAX} write conflicts in a row.`,
    retriable: true,
    cause,
  });
}

/** Refuses the record by which its frame takes too long, if there is one; else Postgres is slow for everybody. */
async function refuseSlow(context: RunContext, batch: StateBatch, { refused, error }: Failure): Promise<void> {
  const culprit = await findSlowRecord(context, batch, refused);
  if (culprit === undefined) throw slow(error);
  refuse(context, batch, { refused, error, culprits: [culprit] });
}

interface Failure {
  readonly refused: Set<number>;
  readonly error: unknown;
}

/** Refuses records that conflict by themselves: else they would stop their partition for ever. @returns whether there were any. */
async function refuseConflicting(
  context: RunContext,
  batch: StateBatch,
  { refused, error }: Failure,
): Promise<boolean> {
  const culprits = await findAlone(context, batch, { refused, counts: "conflicts" });
  refuse(context, batch, { refused, error, culprits });
  return culprits.length > 0;
}

async function refuseCulprits(context: RunContext, batch: StateBatch, { refused, error }: Failure): Promise<void> {
  if (error instanceof HeadwaterError) throw error;
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
      "record rejected as INTERNAL_ERROR",
    );
  }
  const accounts = batch.records.map(({ account }) => account.number);
  const poison = [...refused].map((index) => accounts[index] ?? 0);
  if (isSystemicFault({ accounts, poison })) throw tooManyBroken(refused.size, error);
}

interface Search {
  readonly refused: ReadonlySet<number>;
  /** What a trial fails by: what Postgres refuses, or that and conflicts that are lost again and again. */
  readonly counts: "errors" | "conflicts";
}

/** Records that Postgres refuses; of those that it refuses only together the last. */
async function findCulprits(context: RunContext, batch: StateBatch, refused: ReadonlySet<number>): Promise<number[]> {
  const search = { refused, counts: "errors" } as const;
  const alone = await findAlone(context, batch, search);
  return alone.length > 0 ? alone : findLast(context, batch, search);
}

/** Records that fail each by itself, found by trials of halves that are rolled back. */
async function findAlone(context: RunContext, batch: StateBatch, search: Search): Promise<number[]> {
  const within = async (from: number, to: number): Promise<number[]> => {
    context.heartbeat();
    if (!(await fails(context, batch, { ...search, from, to }))) return [];
    if (to - from === 1) return search.refused.has(from) ? [] : [from];
    const middle = (from + to) >> 1;
    return [...(await within(from, middle)), ...(await within(middle, to))];
  };
  return within(0, batch.records.length);
}

/** The record that fails with those before it, and without which these do not. None when the batch fails without any record at all. */
async function findLast(context: RunContext, batch: StateBatch, search: Search): Promise<number[]> {
  const failsUpTo = (to: number) => fails(context, batch, { ...search, from: 0, to });
  let [passes, fewest] = [0, batch.records.length];
  if ((await failsUpTo(passes)) || !(await failsUpTo(fewest))) return [];
  while (fewest - passes > 1) {
    context.heartbeat();
    const middle = (passes + fewest) >> 1;
    if (await failsUpTo(middle)) fewest = middle;
    else passes = middle;
  }
  return search.refused.has(fewest - 1) ? [] : [fewest - 1];
}

/** Attributes are looked at in any case, so that a trial fails by nothing else. */
const TRIAL = { isOutOfAttributes: true, dryRun: true } as const;

interface Trial extends Search {
  readonly from: number;
  readonly to: number;
}

/** Whether the batch fails when only the records from..to of it are folded. */
async function fails(context: RunContext, batch: StateBatch, trial: Trial): Promise<boolean> {
  const { from, to } = trial;
  const refused = new Set(trial.refused);
  for (let index = 0; index < batch.records.length; index++) if (index < from || index >= to) refused.add(index);
  for (let conflicts = 1; conflicts <= RACES_ALONE_MAX; conflicts++) {
    try {
      await applyBatch(context.postgres, batch, { refused, ...TRIAL, recordsAtOnce: batch.records.length });
      return false;
    } catch (error) {
      if (error instanceof DryRun) return false;
      // Nothing is said of the records by a Postgres that is away or slow.
      if (error instanceof HeadwaterError) throw error;
      if (isTooMuch(error)) throw slow(error);
      if (!isWriteConflict(error)) return true;
    }
    context.heartbeat();
    await pauseAfterConflict(conflicts);
  }
  return trial.counts === "conflicts";
}

function slow(cause: unknown): HeadwaterError {
  const publicMessage = "A Postgres statement timed out.";
  return new HeadwaterError({ code: "SERVICE_UNAVAILABLE", status: 503, publicMessage, retriable: true, cause });
}

function tooManyBroken(count: number, cause: unknown): HeadwaterError {
  const publicMessage = `${count} records of one batch failed, across most of its accounts; suspecting a systemic fault.`;
  return new HeadwaterError({ code: "INTERNAL_ERROR", status: 500, publicMessage, cause });
}
