import { type ErrorCode, errorStatuses } from "@headwater/contracts";
import { type ErrorDetail, HeadwaterError } from "@headwater/kernel";

export interface RefusalOptions {
  readonly details?: readonly ErrorDetail[];
  /** Status of a route that answers another one than the table's: a parse error is 422 on intake. */
  readonly status?: number;
  /** Members the code adds to the body, e.g. `limit`. */
  readonly extra?: Readonly<Record<string, unknown>>;
  /** Seconds of the header `Retry-After`. */
  readonly retryAfterSeconds?: number;
  readonly cause?: unknown;
}

const RETRIABLE: ReadonlySet<ErrorCode> = new Set(["SERVICE_UNAVAILABLE", "RATE_LIMITED", "NOT_YET_APPLIED"]);

/** An error of the table, with the table's status: what a handler throws to answer with the error body. */
export function refusal(code: ErrorCode, message: string, options: RefusalOptions = {}): HeadwaterError {
  const { details, status = errorStatuses[code], extra, retryAfterSeconds, cause } = options;
  return new HeadwaterError({
    code,
    status,
    publicMessage: message,
    retriable: RETRIABLE.has(code),
    extra: retryAfterSeconds === undefined ? { ...extra } : { ...extra, retryAfterSeconds },
    ...(details === undefined ? {} : { details }),
    ...(cause === undefined ? {} : { cause }),
  });
}
