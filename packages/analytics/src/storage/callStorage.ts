import { refusal } from "@headwater/http";
import { isClosedPort } from "@headwater/jobs/destinations/storageFailure";

const ANSWER_TIMEOUT_MS = 5_000;

/**
 * Calls a storage that a request names.
 * @returns undefined when it does not answer within 5 s, or with an error that may pass.
 * @throws HeadwaterError 422 `STORAGE_CONNECTION_ERROR` for a refusal, a closed port included.
 */
export async function callStorage<Answer>(call: (signal: AbortSignal) => Promise<Answer>): Promise<Answer | undefined> {
  const signal = AbortSignal.timeout(ANSWER_TIMEOUT_MS);
  try {
    return await call(signal);
  } catch (error) {
    if (isClosedPort(error))
      throw refusal("STORAGE_CONNECTION_ERROR", "The storage connection failed: the port is closed.");
    if (signal.aborted || isRetriable(error)) return undefined;
    throw error;
  }
}

function isRetriable(error: unknown): boolean {
  return error instanceof Error && Reflect.get(error, "retriable") === true;
}
