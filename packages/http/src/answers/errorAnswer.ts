import { errorStatuses } from "@headwater/contracts";
import { boundedDetails, boundedMessage, HeadwaterError, noteCut } from "@headwater/kernel";
import type { Answer } from "./answer.ts";

const INTERNAL_MESSAGE = "Internal error. Quote the request id when you report it.";
const RETRY_AFTER_SECONDS = 1;
/** Criteria may be wrong in every of their 200 nodes and more; all other lists of details have the default bound. */
const DETAILS_MAX: Readonly<Record<string, number>> = { INVALID_AUDIENCE_RULES: 300 };
const RETRY_CODES: ReadonlySet<string> = new Set(["SERVICE_UNAVAILABLE", "RATE_LIMITED", "NOT_YET_APPLIED"]);

/** The one error body, on every route and status. What is no error of the table is an `INTERNAL_ERROR`. */
export function toErrorAnswer(error: unknown, requestId: string): Answer {
  if (!(error instanceof HeadwaterError) || !Object.hasOwn(errorStatuses, error.code)) {
    return { status: 500, body: { code: "INTERNAL_ERROR", message: INTERNAL_MESSAGE, requestId } };
  }
  const { retryAfterSeconds, headers, ...extra } = error.extra;
  const details = boundedDetails(error.details, DETAILS_MAX[error.code]);
  const counts = { found: error.details.length, shown: details.length };
  return {
    status: error.status,
    body: {
      code: error.code,
      message: noteCut(boundedMessage(error.publicMessage), counts),
      requestId,
      ...(details.length === 0 ? {} : { details }),
      ...extra,
    },
    headers: { ...toHeaders(headers), ...retryAfter(error.code, retryAfterSeconds) },
  };
}

/** True when operators should see the error: nobody foresaw it. */
export function isUnforeseen(error: unknown): boolean {
  return !(error instanceof HeadwaterError) || !Object.hasOwn(errorStatuses, error.code) || error.status === 500;
}

/** True when something that the answer needed was away: the error has what failed as its cause. */
export function isUnavailable(error: unknown): boolean {
  return error instanceof HeadwaterError && error.code === "SERVICE_UNAVAILABLE" && error.cause !== undefined;
}

function retryAfter(code: string, seconds: unknown): Record<string, string> {
  if (typeof seconds === "number") return { "Retry-After": String(Math.max(1, Math.ceil(seconds))) };
  return RETRY_CODES.has(code) ? { "Retry-After": String(RETRY_AFTER_SECONDS) } : {};
}

function toHeaders(headers: unknown): Record<string, string> {
  if (typeof headers !== "object" || headers === null) return {};
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}
