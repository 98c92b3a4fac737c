import {
  type Answer,
  type Call,
  type Caller,
  findAnswer,
  findClaim,
  type IdempotencyStore,
  type Keyed,
  type KeyedAnswer,
  type Route,
  runKeyed,
  withWarnings,
} from "@headwater/http";
import type { ReadOnlyMember } from "@headwater/kernel";
import type { Postgres } from "@headwater/postgres/connection/postgres";
import type { Session, Transaction } from "@headwater/postgres/connection/session";
import { createIdempotencyStore } from "@headwater/postgres/idempotency/idempotency";
import { type LoggedWrite, noteWriteAtCommit } from "../accountLog/noteWrite.ts";
import { changedMemberWarnings } from "../writing/changedMembers.ts";
import { routeOf, sentBy, textOf } from "../writing/keyedCall.ts";

/** A write of Postgres alone that may come twice. */
export interface OnceCall {
  /** The header `Idempotency-Key`. */
  readonly key: string | undefined;
  readonly caller: Caller;
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
    return onceWithin({ answers: createIdempotencyStore(transaction), note }, call, () => write(transaction));
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
    const { key } = call;
    if (key === undefined) throw refused;
    const answer = await findAnswer(createIdempotencyStore(session), keyedOf({ ...call, key }));
    if (answer === undefined) throw refused;
    return answer;
  }
}

/** Returns whether a call came before under its `Idempotency-Key`. */
export async function cameBefore(session: Session, route: Route, call: Call): Promise<boolean> {
  const { caller, requestId } = call;
  const key = call.header("idempotency-key");
  if (caller === undefined || key === undefined) return false;
  const keyed = keyedOf({ key, caller, requestId, route: routeOf(route, call.params), body: sentBy(call) });
  return (await findClaim(createIdempotencyStore(session), keyed)) !== undefined;
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
  const { key } = call;
  const run = async (): Promise<KeyedAnswer> => {
    const { answer, kept: existing, stored } = await write();
    note(answer);
    const warnings = warningsOf(call, stored);
    const { status, headers = {} } = answer;
    const { body } = withWarnings({ status, body: existing }, warnings);
    return { ...withWarnings(answer, warnings), repeat: { status, body, headers } };
  };
  if (key !== undefined) return runKeyed(answers, { ...keyedOf({ ...call, key }), run });
  const { repeat: _, ...answer } = await run();
  return answer;
}

type KeyedParts = Pick<OnceCall, "caller" | "route" | "body" | "requestId"> & { readonly key: string };

function keyedOf({ key, caller, route, body, requestId }: KeyedParts): Keyed {
  return { call: { account: caller.account.number, route, key }, body: textOf({ body }), requestId };
}

function warningsOf({ readOnly }: OnceCall, stored: unknown) {
  return readOnly === undefined ? [] : changedMemberWarnings(readOnly.members, stored ?? readOnly.stored);
}
