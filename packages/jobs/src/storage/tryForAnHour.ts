import { HeadwaterError } from "@headwater/kernel";

const TRY_MS = 3_600_000;
const TRY_AGAIN_SECONDS = 15;

/** End of an attempt that got no answer: the job waits, and its worker is free meanwhile. */
export interface TriedInVain {
  readonly kind: "away";
  readonly seconds: number;
}

/**
 * Runs work on a storage outside. Without an answer it is to be tried again until an hour has passed since it was begun.
 * @param since milliseconds since 1970, as `nowMs`.
 * @throws what the work throws: also, after the hour, that nobody answered.
 */
export async function tryForAnHour<Done>(
  run: () => Promise<Done>,
  { since, nowMs, signal }: { readonly since: number; readonly nowMs: number; readonly signal: AbortSignal },
): Promise<Done | TriedInVain> {
  try {
    return await run();
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof HeadwaterError) || error.code !== "STORAGE_CONNECTION_ERROR" || !error.retriable)
      throw error;
    if (nowMs - since < TRY_MS) return { kind: "away", seconds: TRY_AGAIN_SECONDS };
    throw new HeadwaterError({
      code: error.code,
      status: error.status,
      publicMessage: "The storage has not answered for an hour.",
      cause: error,
    });
  }
}
