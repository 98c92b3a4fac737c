import type { Begun, IdempotencyStore, KeyedCall } from "@headwater/http";
import {
  type ClaimOutcome,
  claimIdempotency,
  finishIdempotency,
  type IdempotencyScope,
  releaseIdempotency,
  type Session,
} from "@headwater/stores";

/** Intents and answers in Postgres, in the ingress's own schema. */
export function createPostgresIdempotency(session: Session): IdempotencyStore {
  return {
    begin: async (call, intent) => toBegun(await claimIdempotency(session, { ...toScope(call), ...intent })),
    complete: async (call, _requestId, { status, body }) => {
      await finishIdempotency(session, toScope(call), { status, answer: body });
    },
    release: (call) => releaseIdempotency(session, toScope(call)),
  };
}

function toScope({ accountNumber, route, key }: KeyedCall): IdempotencyScope {
  return { account: accountNumber, route, key };
}

function toBegun(outcome: ClaimOutcome): Begun {
  switch (outcome.kind) {
    case "claimed":
      return { kind: "run", requestId: outcome.requestId };
    case "answered":
      return {
        kind: "answered",
        requestId: outcome.requestId,
        answer: { status: outcome.status, body: outcome.answer },
      };
    case "running":
      return { kind: "inProgress" };
    case "otherBody":
      return { kind: "reused" };
  }
}
