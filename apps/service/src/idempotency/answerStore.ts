import type { Begun, IdempotencyStore, KeyedCall } from "@headwater/http";
import { createKeyedCalls } from "@headwater/stores/idempotency";
import type { Session } from "@headwater/stores/postgres";
import { z } from "zod";

const keptAnswer = z.object({ kept: z.unknown(), headers: z.record(z.string(), z.string()).optional() });

export interface AnswerStore extends IdempotencyStore {
  /** Finds how the call would begin, and stores nothing. Undefined for a key that no call has. */
  find(call: KeyedCall, intent: { readonly bodyHash: string }): Promise<Begun | undefined>;
}

/** Keeps the intents and answers of `/v2` in Postgres; in a transaction, together with what the call writes. */
export function createAnswerStore(session: Session): AnswerStore {
  return createKeyedCalls(session, {
    toKept: ({ body: kept, headers }) => ({ kept, headers }),
    toAnswer(given) {
      const { kept: body, headers } = keptAnswer.parse(given);
      return { body, ...(headers && { headers }) };
    },
  });
}
