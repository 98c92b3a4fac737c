import { type Answer, type ApiKey, followClaim, intentOf } from "@headwater/http";
import type { Postgres, Transaction } from "@headwater/stores/postgres";
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
}

/** A write's answer, and the body that a repeat gets in its place. */
export interface Written {
  readonly answer: Answer;
  readonly kept: unknown;
}

/**
 * Runs a write once for its `Idempotency-Key`: key, write and answer are one transaction, so a repeat meets all of it or nothing,
 * and one at the same time waits for the first. A refused write leaves nothing. `kept` is the body that a repeat gets, with the
 * headers of the first answer.
 */
export async function runOnce(
  postgres: Pick<Postgres, "transaction">,
  call: OnceCall,
  write: (transaction: Transaction) => Promise<Written>,
): Promise<Answer> {
  const { key, caller, route, requestId } = call;
  if (key === undefined) return postgres.transaction(async (transaction) => (await write(transaction)).answer);
  const intent = intentOf(key, JSON.stringify(call.body ?? null), requestId);
  const scope = { account: caller.account.number, route, key };
  return postgres.transaction(async (transaction) => {
    const store = createAnswerStore(transaction);
    return followClaim(await store.begin(scope, intent), async () => {
      const { answer, kept } = await write(transaction);
      const { status, headers } = answer;
      await store.complete(scope, requestId, { status, body: kept, ...(headers && { headers }) });
      return answer;
    });
  });
}
