import type { IdempotencyStore } from "@headwater/http";
import { createKeyedCalls, type Session } from "@headwater/stores";
import { keptAnswer } from "./runOnce.ts";

/** Intents and answers of calls that write to the log, beside those of calls that write Postgres alone, and in their form. */
export function createLoggedCalls(session: Session): IdempotencyStore {
  return createKeyedCalls(session, {
    toKept: ({ body: kept, headers }) => ({ kept, headers }),
    toAnswer(given) {
      const { kept: body, headers } = keptAnswer.parse(given);
      return { body, ...(headers && { headers }) };
    },
  });
}
