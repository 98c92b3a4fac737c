import { HeadwaterError } from "@headwater/kernel";

/**
 * The error of a log or registry that cannot take or give anything just now: 503, retriable.
 * @param retryAfterSeconds whole seconds, for the `Retry-After` header; in `extra.retryAfterSeconds`.
 */
export function unavailable(publicMessage: string, retryAfterSeconds: number, cause?: unknown): HeadwaterError {
  return new HeadwaterError({
    code: "SERVICE_UNAVAILABLE",
    status: 503,
    publicMessage,
    retriable: true,
    extra: { retryAfterSeconds },
    ...(cause === undefined ? {} : { cause }),
  });
}
