import type { Session } from "../connection/session.ts";
import { claimIdempotency, finishIdempotency, type IdempotencyScope, releaseIdempotency } from "./idempotency.ts";

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
export function createKeyedCalls(session: Session, { toKept, toAnswer }: AnswerForm) {
  return {
    async begin(call: IdempotencyScope, intent: { requestId: string; bodyHash: string; leaseMs: number }) {
      const outcome = await claimIdempotency(session, { ...call, ...intent });
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
    },
    async complete(call: IdempotencyScope, _requestId: string, answer: KeptAnswer): Promise<void> {
      await finishIdempotency(session, call, { status: answer.status, answer: toKept(answer) });
    },
    release: (call: IdempotencyScope): Promise<void> => releaseIdempotency(session, call),
  };
}
