import { HeadwaterError } from "@headwater/kernel";
import { DocumentsTooLarge, postgresFailure } from "@headwater/postgres/connection/failures";
import { isWriteConflict } from "@headwater/postgres/connection/writeConflict";

/** A fold threw on one record: a defect of ours. */
export class PoisonRecord extends Error {
  readonly index: number;
  constructor(index: number, cause: unknown) {
    super("A record could not be folded", { cause });
    this.index = index;
  }
}

/** A batch exceeds the limit of rounds or time: nothing is wrong with its records, fewer of them are applied at once. */
export class BatchTooLarge extends Error {}

/** Returns whether the batch may succeed with fewer records at once. */
export function isTooLarge(error: unknown): boolean {
  if (error instanceof BatchTooLarge || error instanceof DocumentsTooLarge) return true;
  return postgresFailure(error) === "timeout";
}

/** Distinguishes a row that another transaction had written first from a deadlock or a wait. */
export function isOvertaken(error: unknown): boolean {
  return isWriteConflict(error) && postgresFailure(error) !== "conflict";
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
