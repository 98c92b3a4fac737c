import { hash } from "node:crypto";
import { errorStatuses } from "@headwater/contracts";
import { HeadwaterError } from "@headwater/kernel";
import type { Answer } from "../answers/answer.ts";
import { toErrorAnswer } from "../answers/errorAnswer.ts";
import { refusal } from "../answers/refusal.ts";
import type {
  AnswerReader,
  Begun,
  IdempotencyStore,
  Intent,
  KeyedCall,
  LeaseStore,
  StoredAnswer,
} from "./idempotencyStore.ts";

const KEY_CHARACTERS_MAX = 255;
const LEASE_MS = 30_000;

/** A call under an `Idempotency-Key` before it runs. */
export interface Keyed {
  readonly call: KeyedCall;
  /** Content that a repeat must bring again. */
  readonly body: string | Buffer;
  /** Id of this call; a retry goes on under that of its first call. */
  readonly requestId: string;
}

export interface KeyedRun extends Keyed {
  readonly run: (requestId: string) => Promise<KeyedAnswer>;
}

export interface KeyedAnswer extends Answer {
  /** Answer to a repeat; default: the same status and body. */
  readonly repeat?: StoredAnswer;
}

/**
 * Runs a call once for its key; a repeat gets the first answer again.
 *
 * With a store in the transaction of the write, intent, write and answer are committed together or not at all: what `run` throws is
 * thrown on, and rolls all of it back. With a `LeaseStore`, the intent is stored before the log is written and the answer after: a retry
 * goes on where the first call ended without an answer, with the same record ids, which are applied once. Errors of the table are then
 * answers like others.
 * @throws HeadwaterError 400 for a key that is too long, 409 while the first call is under way, 422 for a key that came with another
 *   body or query; 503 when a `LeaseStore` cannot store.
 */
export async function runKeyed(store: IdempotencyStore, keyed: KeyedRun): Promise<Answer> {
  const { call } = keyed;
  const intent = intentOf(keyed);
  if (!isLeaseStore(store)) {
    return followClaim(await store.begin(call, intent), async (requestId) => {
      const answer = await keyed.run(requestId);
      await store.complete(call, requestId, repeatOf(answer));
      return withRequestId(answer, requestId);
    });
  }
  const begun = await store.begin(call, intent).catch(notStored);
  return followClaim(begun, (requestId) => runLeased(store, keyed, requestId));
}

/**
 * Returns the first answer to a call that is not to run again; undefined for one that was not answered.
 * @throws HeadwaterError 422 when the key came with another body or query.
 */
export async function findAnswer(store: AnswerReader, keyed: Keyed): Promise<Answer | undefined> {
  const begun = await findClaim(store, keyed);
  if (begun?.kind !== "answered" && begun?.kind !== "reused") return undefined;
  return followClaim(begun, () => Promise.reject(new Error("a call that was answered does not run")));
}

/** Returns what a call would meet; undefined for a key that no call has. */
export function findClaim(store: AnswerReader, keyed: Keyed): Promise<Begun | undefined> {
  return store.find(keyed.call, intentOf(keyed));
}

function intentOf({ call: { key }, body, requestId }: Keyed): Intent {
  if (key.length > KEY_CHARACTERS_MAX) {
    throw refusal("BAD_REQUEST", `The Idempotency-Key exceeds ${KEY_CHARACTERS_MAX} characters.`);
  }
  return { requestId, bodyHash: hash("sha256", body, "hex"), leaseMs: LEASE_MS };
}

async function followClaim(begun: Begun, run: (requestId: string) => Promise<Answer>): Promise<Answer> {
  switch (begun.kind) {
    case "run":
      return run(begun.requestId);
    case "answered":
      return replayed(begun.requestId, begun.answer);
    case "inProgress":
      throw refusal("IDEMPOTENCY_IN_PROGRESS", "The first request with this Idempotency-Key is still in progress.", {
        retryAfterSeconds: 1,
      });
    case "reused":
      throw refusal("IDEMPOTENCY_KEY_REUSED", "This Idempotency-Key was already used with a different body or query.");
  }
}

function replayed(requestId: string, { status, body, headers }: StoredAnswer): Answer {
  return { status, body, requestId, headers: { ...headers, "Idempotency-Replayed": "true" } };
}

function isLeaseStore(store: IdempotencyStore): store is LeaseStore {
  return store.release !== undefined;
}

async function runLeased(store: LeaseStore, { call, run }: KeyedRun, requestId: string): Promise<Answer> {
  const answer = await answerOf(run, requestId);
  if (answer.status >= 500 || answer.status === 429) {
    await store.release(call, requestId);
    return withRequestId(answer, requestId);
  }
  try {
    await store.complete(call, requestId, repeatOf(answer));
  } catch (error) {
    // The records may be in the log: the retry writes them again under the same ids, and they are applied once.
    await store.release(call, requestId);
    return notStored(error);
  }
  return withRequestId(answer, requestId);
}

/** Errors of the table are answers like others: they are stored and come again. */
async function answerOf(run: KeyedRun["run"], requestId: string): Promise<KeyedAnswer> {
  try {
    return await run(requestId);
  } catch (error) {
    if (error instanceof HeadwaterError && Object.hasOwn(errorStatuses, error.code))
      return toErrorAnswer(error, requestId);
    throw error;
  }
}

function repeatOf({ repeat, status, body, text }: KeyedAnswer): StoredAnswer {
  return repeat ?? { status, body: text === undefined ? body : JSON.parse(text) };
}

function withRequestId({ repeat: _, ...answer }: KeyedAnswer, requestId: string): Answer {
  return { ...answer, requestId };
}

function notStored(cause: unknown): never {
  throw refusal("SERVICE_UNAVAILABLE", "The Idempotency-Key cannot be stored right now. Retry later.", { cause });
}
