import { HeadwaterError } from "@headwater/kernel";
import { DocumentsTooLarge, postgresFailure } from "@headwater/postgres/connection/failures";

const MIB = 1024 * 1024;

/** Stored documents that a batch may load: several partitions hold as much at once, and a document takes several times its text. */
export const BATCH_BYTES_MAX = 64 * MIB;
/** Bytes for a record that is applied alone: it meets 64 contacts at most, and of contacts that grew before there was a bound a few. */
export const RECORD_BYTES_MAX = 512 * MIB;
/**
 * Rounds of loading. Each finds all that is missing; what a record asks for depends on what was loaded three or four times at most, however
 * many records there are.
 */
export const ROUNDS_MAX = 16;
/** Time for which the folds of a batch may keep the process, and with it all other partitions. */
export const FOLD_MS_MAX = 1_000;
/** Processor time after which a single record is given up. Postgres ends a transaction that says nothing for 15 s. */
export const RECORD_CPU_MS_MAX = 8_000;

/** A fold threw on one record: a defect of ours. */
export class PoisonRecord extends Error {
  readonly index: number;
  constructor(index: number, cause: unknown) {
    super("A record could not be folded", { cause });
    this.index = index;
  }
}

/** A batch needs more rounds or time than one may: nothing is wrong with its records, fewer of them are applied at once. */
export class BatchTooLarge extends Error {}

/** Recognizes failures that fewer records at once may pass. */
export function isTooMuch(error: unknown): boolean {
  if (error instanceof BatchTooLarge || error instanceof DocumentsTooLarge) return true;
  return postgresFailure(error) === "timeout";
}

export function slowPostgres(cause: unknown): HeadwaterError {
  return unavailable("A Postgres statement timed out.", cause);
}

export function tooManyConflicts(count: number, cause: unknown): HeadwaterError {
  return unavailable(`The batch hit ${count} write conflicts in a row.`, cause);
}

function unavailable(publicMessage: string, cause: unknown): HeadwaterError {
  return new HeadwaterError({ code: "SERVICE_UNAVAILABLE", status: 503, publicMessage, retriable: true, cause });
}
