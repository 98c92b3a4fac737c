import { hash } from "node:crypto";
import { type Answer, type ApiKey, refusal } from "@headwater/http";
import { claimIdempotency, finishIdempotency, type Postgres, type Transaction } from "@headwater/stores";
import { z } from "zod";

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

/** The form in which answers are kept. */
export const keptAnswer = z.object({ kept: z.unknown(), headers: z.record(z.string(), z.string()).optional() });
const KEY_CHARACTERS_MAX = 255;
/** Nobody waits for it: the claim and the answer are written in one transaction, so that no other sees one without the other. */
const LEASE_MS = 30_000;

/**
 * Runs a write once for its `Idempotency-Key`: key, write and answer are one transaction, so a repeat meets all of it or nothing,
 * and one at the same time waits for the first. What is refused leaves nothing. `kept` is the body that a repeat gets, with the
 * headers of the first answer.
 */
export async function runOnce(
  postgres: Pick<Postgres, "transaction">,
  call: OnceCall,
  write: (transaction: Transaction) => Promise<{ readonly answer: Answer; readonly kept: unknown }>,
): Promise<Answer> {
  const { key, caller, route, requestId } = call;
  if (key === undefined) return postgres.transaction(async (transaction) => (await write(transaction)).answer);
  if (key.length > KEY_CHARACTERS_MAX) {
    throw refusal("BAD_REQUEST", `The Idempotency-Key exceeds ${KEY_CHARACTERS_MAX} characters.`);
  }
  const bodyHash = hash("sha256", JSON.stringify(call.body ?? null), "hex");
  const scope = { account: caller.account.number, route, key };
  return postgres.transaction(async (transaction) => {
    const claim = await claimIdempotency(transaction, { ...scope, requestId, bodyHash, leaseMs: LEASE_MS });
    switch (claim.kind) {
      case "claimed": {
        const { answer, kept } = await write(transaction);
        await finishIdempotency(transaction, scope, {
          status: answer.status,
          answer: { kept, headers: answer.headers },
        });
        return answer;
      }
      case "answered": {
        const { kept, headers } = keptAnswer.parse(claim.answer);
        return {
          status: claim.status,
          body: kept,
          requestId: claim.requestId,
          headers: { ...headers, "Idempotency-Replayed": "true" },
        };
      }
      case "running":
        throw refusal("IDEMPOTENCY_IN_PROGRESS", "The first request with this Idempotency-Key is still in progress.");
      case "otherBody":
        throw refusal("IDEMPOTENCY_KEY_REUSED", "This Idempotency-Key was already used with a different body.");
    }
  });
}
