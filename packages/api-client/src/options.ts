import { type RetryEvent, readKey, readUrl } from "@headwater/client";

/** Reports an answer, retried ones included. It holds no key and nothing of a body. */
export interface AnswerEvent {
  readonly method: string;
  /** Path with its query. */
  readonly path: string;
  readonly status: number;
  readonly elapsedMs: number;
}

/** Reports what of a request had no effect, or names nothing that the account ever had. */
export interface WarningEvent {
  /** JSON pointer into the request. */
  readonly path: string;
  readonly code: string;
  readonly message: string;
  /** Names that were probably meant, the nearest first. */
  readonly meant: readonly string[];
}

export interface ServiceClientOptions {
  /** Address of `/v2`: HTTPS; plain HTTP only on this machine. A path is kept as a prefix. */
  readonly baseUrl: string;
  /** Address of `/api`. Default: `baseUrl`, for both behind one host. */
  readonly intakeUrl?: string | undefined;
  readonly apiKey: string;
  /** Headers of every request, such as `traceparent`. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Timeout of one attempt. Default 30,000. */
  readonly requestTimeoutMs?: number | undefined;
  readonly retry?: {
    /** The first one included. Default 4. */
    readonly attemptsMax?: number;
    /** Upper bound of the first wait, which `Retry-After` comes on top of. Default 200. */
    readonly minMs?: number;
    /** Upper bound of later waits, which double. Default 5,000. */
    readonly maxMs?: number;
    /** No attempt begins later. Default 120,000. */
    readonly giveUpAfterMs?: number;
  };
  /** Called before each wait for another attempt. */
  readonly onRetry?: ((event: RetryEvent) => void) | undefined;
  readonly onAnswer?: ((event: AnswerEvent) => void) | undefined;
  /** Called for each warning of an answer, before the call returns. */
  readonly onWarning?: ((event: WarningEvent) => void) | undefined;
}

const REQUEST_TIMEOUT_MS = 30_000;
const RETRY = { attemptsMax: 4, minMs: 200, maxMs: 5_000, giveUpAfterMs: 120_000 } as const;
/** A 500 is a defect, and whoever waits for a command wants to hear of it: it is not tried again. */
const RETRIED_STATUSES: ReadonlySet<number> = new Set([429, 503]);
const RETRIED_CODES: ReadonlySet<string> = new Set(["NOT_YET_APPLIED", "IDEMPOTENCY_IN_PROGRESS"]);

/** Options with their defaults. @throws TypeError that names what is wrong, and never shows the key. */
export function readOptions(input: ServiceClientOptions) {
  const baseUrl = readUrl("baseUrl", input.baseUrl);
  return {
    ...input,
    baseUrl,
    intakeUrl: input.intakeUrl === undefined ? baseUrl : readUrl("intakeUrl", input.intakeUrl),
    apiKey: readKey(input.apiKey),
    requestTimeoutMs: input.requestTimeoutMs ?? REQUEST_TIMEOUT_MS,
    retry: { ...RETRY, ...input.retry, isRetriable },
  };
}

export type ReadOptions = ReturnType<typeof readOptions>;

/** Nothing was done yet, and the service says when to come back. Other 5xx may be a defect, which a repeat does not mend. */
function isRetriable({ status, code }: { readonly status: number; readonly code?: string | undefined }): boolean {
  return RETRIED_STATUSES.has(status) || (code !== undefined && RETRIED_CODES.has(code));
}
