import { backOffMs, HeadwaterError } from "@headwater/kernel";
import { postgresFailure } from "./failures.ts";

/** Another transaction was quicker with an identifier or an order: the batch is loaded and folded again. */
export class WriteConflict extends Error {}

/** A row that was found no longer has what it was found by: another transaction was quicker. The batch starts again. */
export class StaleState extends Error {}

/** Returns whether a transaction failed because another one was quicker: run again, it meets what that one left. */
export function isWriteConflict(error: unknown): boolean {
  if (error instanceof WriteConflict || error instanceof StaleState) return true;
  return postgresFailure(error) === "conflict" || postgresFailure(error) === "unique";
}

const CONFLICTS_MAX = 20;
const CONFLICT_RETRY = { minMs: 2, maxMs: 50 } as const;

/** Waits for a random short time, longer with each write conflict. */
export function pauseAfterConflict(conflicts: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, backOffMs(conflicts, CONFLICT_RETRY)));
}

/**
 * Runs a whole transaction again until it has no write conflict.
 * @throws HeadwaterError SERVICE_UNAVAILABLE, retriable, when it lost too many.
 */
export async function retryOnConflict<Result>(run: () => Promise<Result>): Promise<Result> {
  for (let conflicts = 1; conflicts <= CONFLICTS_MAX; conflicts++) {
    try {
      return await run();
    } catch (error) {
      if (!isWriteConflict(error)) throw error;
      await pauseAfterConflict(conflicts);
    }
  }
  const publicMessage = `The write hit ${CONFLICTS_MAX} write conflicts in a row.`;
  throw new HeadwaterError({ code: "SERVICE_UNAVAILABLE", status: 503, publicMessage, retriable: true });
}
