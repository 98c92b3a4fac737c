import type { IdempotencyStore } from "@headwater/http";
import { createKeyedCalls } from "@headwater/stores/idempotency";
import type { Session } from "@headwater/stores/postgres";

/** Intents and answers in Postgres, in the ingress's own schema. Its answers are their bodies: their headers are made anew. */
export function createPostgresIdempotency(session: Session): IdempotencyStore {
  return createKeyedCalls(session, { toKept: ({ body }) => body, toAnswer: (body) => ({ body }) });
}
