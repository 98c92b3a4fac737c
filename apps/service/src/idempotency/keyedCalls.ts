import type { Begun, IdempotencyStore, KeyedCall } from "@headwater/http";
import {
  type ClaimOutcome,
  claimIdempotency,
  finishIdempotency,
  type IdempotencyScope,
  releaseIdempotency,
  type Session,
} from "@headwater/stores";
import { keptAnswer } from "./runOnce.ts";

/** Intents and answers of calls that write to the log, beside those of calls that write Postgres alone, and in their form. */
export function createKeyedCalls(session: Session): IdempotencyStore {
  return {
    begin: async (call, intent) => toBegun(await claimIdempotency(session, { ...toScope(call), ...intent })),
    complete: async (call, _requestId, { status, body: kept, headers }) => {
      await finishIdempotency(session, toScope(call), { status, answer: { kept, headers } });
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
    case "answered": {
      const { kept: body, headers } = keptAnswer.parse(outcome.answer);
      const answer = { status: outcome.status, body, ...(headers && { headers }) };
      return { kind: "answered", requestId: outcome.requestId, answer };
    }
    case "running":
      return { kind: "inProgress" };
    case "otherBody":
      return { kind: "reused" };
  }
}
