import { hash } from "node:crypto";
import type { Answer } from "../answers/answer.ts";
import { refusal } from "../answers/refusal.ts";
import type { Begun, StoredAnswer } from "./idempotencyStore.ts";

const KEY_CHARACTERS_MAX = 255;
const LEASE_MS = 30_000;

/** The intent that is stored before a call with an `Idempotency-Key` runs. */
export interface Intent {
  readonly requestId: string;
  readonly bodyHash: string;
  readonly leaseMs: number;
}

/** @throws HeadwaterError 400 for a key that is too long. */
export function intentOf(key: string, body: string | Buffer, requestId: string): Intent {
  if (key.length > KEY_CHARACTERS_MAX) {
    throw refusal("BAD_REQUEST", `The Idempotency-Key exceeds ${KEY_CHARACTERS_MAX} characters.`);
  }
  return { requestId, bodyHash: hash("sha256", body, "hex"), leaseMs: LEASE_MS };
}

/**
 * Answers a call by what its `Idempotency-Key` met: runs it under the request id of the first call, or repeats the first answer.
 * @throws HeadwaterError 409 while the first call is under way, 422 for a key that came with another body or query.
 */
export async function followClaim(begun: Begun, run: (requestId: string) => Promise<Answer>): Promise<Answer> {
  switch (begun.kind) {
    case "run":
      return run(begun.requestId);
    case "answered":
      return replayed(begun.requestId, begun.answer);
    case "inProgress":
      throw refusal("IDEMPOTENCY_IN_PROGRESS", "The first request with this Idempotency-Key is still in progress.", {
        retryAfterSeconds: 1,
      });
    case "reused":
      throw refusal("IDEMPOTENCY_KEY_REUSED", "This Idempotency-Key was already used with a different body or query.");
  }
}

function replayed(requestId: string, { status, body, headers }: StoredAnswer): Answer {
  return { status, body, requestId, headers: { ...headers, "Idempotency-Replayed": "true" } };
}
