import { type Answer, type ApiKey, followClaim, intentOf } from "@headwater/http";
import type { Postgres, Transaction } from "@headwater/stores/postgres";
import { type LoggedWrite, noteWrite } from "../accountLog/noteWrite.ts";
import { createAnswerStore } from "./answerStore.ts";

/** A write of Postgres alone that may come twice. */
export interface OnceCall {
  /** The header `Idempotency-Key`. */
  readonly key: string | undefined;
  readonly caller: ApiKey;
  /** Method and path as they were called. */
  readonly route: string;
  readonly body: unknown;
  readonly requestId: string;
  /** Parts of its entry in the account's log. */
  readonly logged: LoggedWrite;
}

/** A write's answer, and the body that a repeat gets in its place. */
export interface Written {
  readonly answer: Answer;
  readonly kept: unknown;
}

/**
 * Runs a write once for its `Idempotency-Key`: key, write, answer and the entry in the account's log are one transaction, so a repeat
 * meets all of it or nothing, and one at the same time waits for the first. A refused write leaves nothing. `kept` is the body that a repeat gets, with the
 * headers of the first answer.
 */
export async function runOnce(
  postgres: Pick<Postgres, "transaction">,
  call: OnceCall,
  write: (transaction: Transaction) => Promise<Written>,
): Promise<Answer> {
  const { key, caller, route, requestId } = call;
  if (key === undefined) {
    return postgres.transaction(async (transaction) => {
      const { answer } = await write(transaction);
      await noteWrite(transaction, call, answer);
      return answer;
    });
  }
  const intent = intentOf(key, JSON.stringify(call.body ?? null), requestId);
  const scope = { account: caller.account.number, route, key };
  return postgres.transaction(async (transaction) => {
    const store = createAnswerStore(transaction);
    return followClaim(await store.begin(scope, intent), async () => {
      const { answer, kept } = await write(transaction);
      const { status, headers } = answer;
      await Promise.all([
        store.complete(scope, requestId, { status, body: kept, ...(headers && { headers }) }),
        noteWrite(transaction, call, answer),
      ]);
      return answer;
    });
  });
}
