import { HeadwaterError } from "@headwater/kernel";
import { StaleState } from "@headwater/operations";
import { postgresFailure } from "@headwater/stores";

/** Another transaction was quicker with an identifier or an order: the batch is loaded and folded again. */
export class LostRace extends Error {}

/** Whether a transaction failed because another one was quicker: run again, it meets what that one left. */
export function isLostRace(error: unknown): boolean {
  if (error instanceof LostRace || error instanceof StaleState) return true;
  return postgresFailure(error) === "conflict" || postgresFailure(error) === "unique";
}

const RACES_MAX = 20;
const RACE_WAIT_MS_MAX = 50;

/** Waits a moment of random length, longer with each race that was lost. */
export function pauseAfterRace(races: number): Promise<void> {
  const waitMs = Math.random() * Math.min(RACE_WAIT_MS_MAX, 2 ** races);
  return new Promise((resolve) => setTimeout(resolve, waitMs));
}

/**
 * Runs a whole transaction again until it loses no race.
 * @throws HeadwaterError SERVICE_UNAVAILABLE, retriable, when it lost too many.
 */
export async function retryRaces<Result>(run: () => Promise<Result>): Promise<Result> {
  for (let races = 1; races <= RACES_MAX; races++) {
    try {
      return await run();
    } catch (error) {
      if (!isLostRace(error)) throw error;
      await pauseAfterRace(races);
    }
  }
  const publicMessage = `The write lost ${RACES_MAX} races for its rows.`;
  throw new HeadwaterError({ code: "SERVICE_UNAVAILABLE", status: 503, publicMessage, retriable: true });
}
