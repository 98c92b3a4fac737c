import {
  type Answer,
  type ApiKey,
  type Begun,
  type Call,
  followClaim,
  type IdempotencyStore,
  intentOf,
  type Route,
  withWarnings,
} from "@headwater/http";
import type { ReadOnlyMember } from "@headwater/kernel";
import type { Postgres, Session, Transaction } from "@headwater/stores/postgres";
import { type LoggedWrite, noteWriteAtCommit } from "../accountLog/noteWrite.ts";
import { changedMemberWarnings } from "../writing/changedMembers.ts";
import { routeOf, sentBy, textOf } from "../writing/keyedCall.ts";
import { createAnswerStore } from "./answerStore.ts";

/** A write of Postgres alone that may come twice. */
export interface OnceCall {
  /** The header `Idempotency-Key`. */
  readonly key: string | undefined;
  readonly caller: ApiKey;
  /** Method and path as they were called. */
  readonly route: string;
  /** Content that a repeat must bring again; undefined without a key. */
  readonly body: unknown;
  readonly requestId: string;
  /** Parts of its entry in the account's log. */
  readonly logged: LoggedWrite;
  /** Read-only members of its body. Those whose value is not the stored one are warned of, a repeat again. */
  readonly readOnly?: {
    readonly members: readonly ReadOnlyMember[];
    /** The record as a GET shows it; undefined where the write returns it. */
    readonly stored: unknown;
  };
}

/** A write's answer, and the body that a repeat gets in its place. */
export interface Written {
  readonly answer: Answer;
  readonly kept: unknown;
  /** The record before the write, as a GET shows it: of a route that `returnsStored`. */
  readonly stored?: unknown;
}

/**
 * Runs a write once for its `Idempotency-Key`: key, write, answer and the entry in the account's log are one transaction, so a repeat
 * meets all of it or nothing, and one at the same time waits for the first. A refused write leaves nothing of its own; the route keeps the refusal (`withKeptRefusals`). `kept` is the body that a repeat gets, with the
 * headers of the first answer.
 */
export function runOnce(
  postgres: Pick<Postgres, "transaction">,
  call: OnceCall,
  write: (transaction: Transaction) => Promise<Written>,
): Promise<Answer> {
  return postgres.transaction((transaction, atCommit) => {
    const note = (answer: Answer) => noteWriteAtCommit(atCommit, call, answer);
    return onceWithin({ answers: createAnswerStore(transaction), note }, call, () => write(transaction));
  });
}

/** A write that is checked before its transaction begins. */
export interface CheckedWrite<Checked> {
  /** Throws what the write is refused for. */
  check(): Promise<Checked>;
  write(transaction: Transaction, checked: Checked): Promise<Written>;
}

/** Checks a write, then runs it once. A repeat that its check would refuse gets the first answer all the same. */
export function checkAndRunOnce<Checked>(
  postgres: Pick<Postgres, "transaction" | "query" | "execute">,
  call: OnceCall,
  { check, write }: CheckedWrite<Checked>,
): Promise<Answer> {
  return orFirstAnswer(postgres, call, async () => {
    const checked = await check();
    return runOnce(postgres, call, (transaction) => write(transaction, checked));
  });
}

/**
 * Runs a write that is checked before it runs once. What refuses a repeat under the `Idempotency-Key` may be what the first call has written,
 * or what has changed since: it gets the first answer all the same.
 */
export async function orFirstAnswer(session: Session, call: OnceCall, write: () => Promise<Answer>): Promise<Answer> {
  try {
    return await write();
  } catch (refused) {
    const answer = await answeredBefore(session, call);
    if (answer === undefined) throw refused;
    return answer;
  }
}

/** Returns the first answer to a call; undefined for one that was not answered. Throws 422 when the key came with another body. */
async function answeredBefore(session: Session, call: Keyed): Promise<Answer | undefined> {
  const begun = await begunBefore(session, call);
  if (begun?.kind !== "answered" && begun?.kind !== "reused") return undefined;
  return followClaim(begun, () => Promise.reject(new Error("a call that was answered does not run")));
}

type Keyed = Pick<OnceCall, "key" | "caller" | "route" | "body" | "requestId">;

async function begunBefore(session: Session, { key, ...call }: Keyed): Promise<Begun | undefined> {
  if (key === undefined) return undefined;
  const { caller, route, requestId } = call;
  const intent = intentOf(key, textOf(call), requestId);
  return createAnswerStore(session).find({ account: caller.account.number, route, key }, intent);
}

/** Returns whether a call came before under its `Idempotency-Key`. */
export async function cameBefore(session: Session, route: Route, call: Call): Promise<boolean> {
  const { caller, requestId } = call;
  const key = call.header("idempotency-key");
  if (caller === undefined || key === undefined) return false;
  const keyed = { key, caller, requestId, route: routeOf(route, call.params), body: sentBy(call) };
  return (await begunBefore(session, keyed)) !== undefined;
}

/** Ports of one transaction by which a write happens once. */
export interface OncePorts {
  readonly answers: IdempotencyStore;
  /** Writes the entry in the account's log, at the end of the transaction. */
  note(answer: Answer): void;
}

/** Runs a write once within a transaction that is rolled back when this throws. */
export async function onceWithin(
  { answers, note }: OncePorts,
  call: OnceCall,
  write: () => Promise<Written>,
): Promise<Answer> {
  const { key, caller, route, requestId } = call;
  if (key === undefined) {
    const { answer, stored } = await write();
    note(answer);
    return withWarnings(answer, warningsOf(call, stored));
  }
  const intent = intentOf(key, textOf(call), requestId);
  const scope = { account: caller.account.number, route, key };
  return followClaim(await answers.begin(scope, intent), async () => {
    const { answer, kept, stored } = await write();
    const { status, headers } = answer;
    const warnings = warningsOf(call, stored);
    const repeated = withWarnings({ status, body: kept, ...(headers && { headers }) }, warnings);
    await answers.complete(scope, requestId, { ...repeated, body: repeated.body });
    note(answer);
    return withWarnings(answer, warnings);
  });
}

function warningsOf({ readOnly }: OnceCall, stored: unknown) {
  return readOnly === undefined ? [] : changedMemberWarnings(readOnly.members, stored ?? readOnly.stored);
}
