import type { SendOutcome } from "../../outcomes/classifyAnswer.ts";
import type { HttpTarget } from "./httpTarget.ts";

/** Statuses that say that this message may be tried later. */
const LATER = new Set([408, 425, 429, 503]);
/** Statuses that ask for fewer requests. */
const SLOW_DOWN = new Set([429, 503]);
/** Statuses of a gateway that does not know what became of the request. */
const GATEWAY = new Set([502, 504]);
/** Statuses that are about the credentials, the address of the service, or how it is called: nothing of the message. */
const OURS = new Set([401, 402, 403, 404, 405, 406, 407, 410, 411, 415, 421, 426, 431]);
const TOO_LARGE = 413;

/** Returns what the status of an answer means for the send. */
export function classifyStatus(status: number, { accepted, idempotent = false }: HttpTarget): SendOutcome {
  const isAccepted = accepted?.statuses?.includes(status) ?? (status >= 200 && status < 300);
  if (isAccepted) return { kind: "sent" };
  if (LATER.has(status)) return { kind: "deferred", slowsDown: SLOW_DOWN.has(status) };
  if (GATEWAY.has(status)) return lostOutcome(idempotent);
  if (status >= 500) return { kind: "deferred", slowsDown: false };
  if (status < 400 || OURS.has(status)) return { kind: "transport-failure" };
  return { kind: "soft-bounce", bounce: status === TOO_LARGE ? "size" : "other" };
}

/** Outcome of a request that may have arrived and has no answer. */
export function lostOutcome(idempotent: boolean): SendOutcome {
  return idempotent ? { kind: "deferred", slowsDown: false } : { kind: "unknown" };
}
