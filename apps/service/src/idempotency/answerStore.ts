import type { IdempotencyStore } from "@headwater/http";
import { createKeyedCalls } from "@headwater/stores/idempotency";
import type { Session } from "@headwater/stores/postgres";
import { z } from "zod";

const keptAnswer = z.object({ kept: z.unknown(), headers: z.record(z.string(), z.string()).optional() });

/** Keeps the intents and answers of `/v2` in Postgres; in a transaction, together with what the call writes. */
export function createAnswerStore(session: Session): IdempotencyStore {
  return createKeyedCalls(session, {
    toKept: ({ body: kept, headers }) => ({ kept, headers }),
    toAnswer(given) {
      const { kept: body, headers } = keptAnswer.parse(given);
      return { body, ...(headers && { headers }) };
    },
  });
}
