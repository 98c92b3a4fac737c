import { HeadwaterError } from "./errors.ts";

/**
 * `infrastructure`: something is away, full or overloaded; the same call passes later, so it is retried for ever.
 * `systemic`: no record is at fault and waiting mends nothing (a lost fence, another log, a refused schema): stop loudly.
 * `poison`: everything else, a defect that some input shows: bisect to that input and quarantine it alone.
 */
export type FailureKind = "infrastructure" | "systemic" | "poison";

const INFRASTRUCTURE_CODES: ReadonlySet<unknown> = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "ECONNABORTED",
  "EPIPE",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENETDOWN",
  "ENOTFOUND",
  "EAI_AGAIN",
  "ERR_STREAM_DESTROYED",
  "ERR_STREAM_PREMATURE_CLOSE",
  "UND_ERR_CONNECT_TIMEOUT",
  "UND_ERR_HEADERS_TIMEOUT",
  "UND_ERR_SOCKET",
  "EMFILE",
  "ENFILE",
  "ENOSPC",
  "EDQUOT",
]);
const TIMEOUT_NAMES: ReadonlySet<string> = new Set(["TimeoutError", "AbortError"]);
const CAUSES_MAX = 8;
const SERVER_ERROR = 500;

/**
 * Classifies a failure: the only place where a process decides whether to retry, stop or quarantine. Adapters map the errors
 * of their drivers to a HeadwaterError, or mark them `retriable`; a HeadwaterError of ours that is neither retriable nor about
 * the caller's input (4xx) is systemic.
 */
export function classifyFailure(error: unknown): FailureKind {
  if (error instanceof HeadwaterError) {
    if (error.retriable) return "infrastructure";
    return error.status >= SERVER_ERROR ? "systemic" : "poison";
  }
  return isInfrastructure(error) ? "infrastructure" : "poison";
}

/** Returns whether an error, or its cause, comes from the network, the disk or a driver that says it may pass later. */
export function isInfrastructure(error: unknown): boolean {
  let at = error;
  for (let depth = 0; depth < CAUSES_MAX && at instanceof Error; depth += 1) {
    if (at instanceof AggregateError && at.errors.some(isInfrastructure)) return true;
    if (TIMEOUT_NAMES.has(at.name) || INFRASTRUCTURE_CODES.has(Reflect.get(at, "code"))) return true;
    if (Reflect.get(at, "retriable") === true) return true;
    at = at.cause;
  }
  return false;
}
