import { errorStatuses } from "@headwater/contracts";
import { HeadwaterError, type Logger } from "@headwater/kernel";
import type { Answer } from "../answers/answer.ts";
import { toErrorAnswer } from "../answers/errorAnswer.ts";
import { refusal } from "../answers/refusal.ts";
import { followClaim, intentOf } from "./followClaim.ts";
import type { IdempotencyStore, KeyedCall, StoredAnswer } from "./idempotencyStore.ts";

export interface KeyedRun {
  readonly call: KeyedCall;
  /** The decompressed bytes of the body. */
  readonly bytes: Buffer;
  /** Id of this call; a retry goes on under that of its first call. */
  readonly requestId: string;
  readonly run: (requestId: string) => Promise<Answer>;
}

/**
 * Runs a call once for its key: the intent is stored before the log is written and the answer after. A retry gets the first
 * answer again, or goes on where the first call ended without one, with the same record ids.
 */
export async function runKeyed(store: IdempotencyStore, logger: Logger, keyed: KeyedRun): Promise<Answer> {
  const { call, bytes, requestId } = keyed;
  const begun = await store.begin(call, intentOf(call.key, bytes, requestId)).catch(notStored);
  return followClaim(begun, (first) => runAndStore(store, logger, { ...keyed, requestId: first }));
}

async function runAndStore(store: IdempotencyStore, logger: Logger, keyed: KeyedRun): Promise<Answer> {
  const { call, requestId, run } = keyed;
  const letGo = () =>
    store.release(call, requestId).catch((error: unknown) => {
      logger.warn({ err: error, requestId }, "releasing a lease failed; it will expire");
    });
  const answer = { ...(await settled(run, requestId)), requestId };
  if (answer.status >= 500 || answer.status === 429) {
    await letGo();
    return answer;
  }
  try {
    await store.complete(call, requestId, toStored(answer));
    return answer;
  } catch (error) {
    // The records may be in the log: the retry writes them again under the same ids, and they are applied once.
    await letGo();
    return notStored(error);
  }
}

/** Errors of the table are answers like others: they are stored and come again. */
async function settled(run: KeyedRun["run"], requestId: string): Promise<Answer> {
  try {
    return await run(requestId);
  } catch (error) {
    if (error instanceof HeadwaterError && Object.hasOwn(errorStatuses, error.code))
      return toErrorAnswer(error, requestId);
    throw error;
  }
}

function notStored(cause: unknown): never {
  throw refusal("SERVICE_UNAVAILABLE", "The Idempotency-Key cannot be stored right now. Retry later.", { cause });
}

function toStored({ status, body, text, headers }: Answer): StoredAnswer {
  const parsed: unknown = text === undefined ? body : JSON.parse(text);
  return { status, body: parsed, ...(headers && { headers }) };
}
