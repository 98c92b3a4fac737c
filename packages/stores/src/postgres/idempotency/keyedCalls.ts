import type { Session } from "../connection/session.ts";
import {
  type ClaimOutcome,
  claimIdempotency,
  findIdempotency,
  finishIdempotency,
  type IdempotencyScope,
  releaseIdempotency,
} from "./idempotency.ts";

/** An answer that repeats get. */
export interface KeptAnswer {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Form in which an answer is stored, beside its status. */
export interface AnswerForm {
  /** @returns any JSON value. */
  toKept(answer: KeptAnswer): unknown;
  toAnswer(kept: unknown): Omit<KeptAnswer, "status">;
}

/** Intents and answers of calls under an `Idempotency-Key`, each written for itself: beside what the call writes to the log. */
export function createKeyedCalls(session: Session, form: AnswerForm) {
  return {
    async begin(call: IdempotencyScope, intent: { requestId: string; bodyHash: string; leaseMs: number }) {
      return begunOf(await claimIdempotency(session, { ...call, ...intent }), form);
    },
    /** Finds how the call would begin, and stores nothing. Undefined for a key that no call has. */
    async find(call: IdempotencyScope, { bodyHash }: { readonly bodyHash: string }) {
      const found = await findIdempotency(session, { ...call, bodyHash });
      return found && begunOf(found, form);
    },
    async complete(call: IdempotencyScope, _requestId: string, answer: KeptAnswer): Promise<void> {
      await finishIdempotency(session, call, { status: answer.status, answer: form.toKept(answer) });
    },
    release: (call: IdempotencyScope): Promise<void> => releaseIdempotency(session, call),
  };
}

function begunOf(outcome: ClaimOutcome, { toAnswer }: AnswerForm) {
  const { kind } = outcome;
  switch (kind) {
    case "claimed":
      return { kind: "run", requestId: outcome.requestId } as const;
    case "answered": {
      const { requestId, status, answer } = outcome;
      return { kind, requestId, answer: { status, ...toAnswer(answer) } } as const;
    }
    case "running":
      return { kind: "inProgress" } as const;
    case "otherBody":
      return { kind: "reused" } as const;
  }
}
