import { HeadwaterError } from "../errors.ts";

const RETRY_AFTER_SECONDS = 1;

/** Refuses an account that has all of its share under way: 429, for that account alone. */
export function overShare(what: string): HeadwaterError {
  return new HeadwaterError({
    code: "RATE_LIMITED",
    status: 429,
    publicMessage: `This account has too many ${what} in progress.`,
    retriable: true,
    extra: { retryAfterSeconds: RETRY_AFTER_SECONDS },
  });
}

/** Refuses an account that has nothing under way when the others leave no slot: 503. */
export function allTaken(what: string): HeadwaterError {
  return new HeadwaterError({
    code: "SERVICE_UNAVAILABLE",
    status: 503,
    publicMessage: `Too many ${what} are in progress.`,
    retriable: true,
    extra: { retryAfterSeconds: RETRY_AFTER_SECONDS },
  });
}
