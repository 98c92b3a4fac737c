import { HeadwaterError, type Logger } from "@headwater/kernel";
import { isLostRace, pauseAfterRace } from "@headwater/state";
import { type Postgres, postgresFailure } from "@headwater/stores";
import { applyBatch, type BatchResult, BrokenRecord, DryRun } from "./applyBatch.ts";
import type { StateBatch } from "./stateBatch.ts";

const RACES_MAX = 50;
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
      if (isLostRace(error)) {
        races++;
        cause = error;
        await pauseAfterRace(races);
      } else {
        await refuseCulprits(context, batch, { refused, error });
      }
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

async function refuseCulprits(context: RunContext, batch: StateBatch, { refused, error }: Failure): Promise<void> {
  if (error instanceof HeadwaterError) throw error;
  if (postgresFailure(error) === "timeout") throw slow(error);
  const found = error instanceof BrokenRecord ? [error.index] : await findCulprits(context, batch, refused);
  const culprits = found.filter((index) => !refused.has(index));
  // Whoever is left out, the batch fails: it is none of them.
  if (culprits.length === 0) throw error;
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

/** Records that Postgres refuses, found by trials of halves that are rolled back. */
async function findCulprits(context: RunContext, batch: StateBatch, refused: ReadonlySet<number>): Promise<number[]> {
  const breaks = async (from: number, to: number): Promise<number[]> => {
    context.heartbeat();
    if (!(await fails(context, batch, { refused, from, to }))) return [];
    if (to - from === 1) return [from];
    const middle = (from + to) >> 1;
    return [...(await breaks(from, middle)), ...(await breaks(middle, to))];
  };
  return breaks(0, batch.records.length);
}

interface Trial {
  readonly refused: ReadonlySet<number>;
  readonly from: number;
  readonly to: number;
}

/** Whether the batch fails when only the records from..to of it are folded. */
async function fails(context: RunContext, batch: StateBatch, { refused, from, to }: Trial): Promise<boolean> {
  const others = new Set(refused);
  for (let index = 0; index < batch.records.length; index++) if (index < from || index >= to) others.add(index);
  try {
    await applyBatch(context.postgres, batch, { refused: others, dryRun: true });
    return false;
  } catch (error) {
    if (error instanceof DryRun) return false;
    if (error instanceof HeadwaterError) throw error;
    return !isLostRace(error);
  }
}

function slow(cause: unknown): HeadwaterError {
  const publicMessage = "Postgres takes longer than a statement may.";
  return new HeadwaterError({ code: "SERVICE_UNAVAILABLE", status: 503, publicMessage, retriable: true, cause });
}

function tooManyBroken(count: number, cause: unknown): HeadwaterError {
  const publicMessage = `${count} records of one batch cannot be applied: not the records are wrong.`;
  return new HeadwaterError({ code: "INTERNAL_ERROR", status: 500, publicMessage, cause });
}
