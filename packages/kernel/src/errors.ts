/** One thing wrong with what a caller sent. `path` is a JSON pointer; `code` is from the table of detail codes. */
export interface ErrorDetail {
  readonly path: string;
  readonly code: string;
  readonly message: string;
  /** Values that would have been accepted, where the set is closed. */
  readonly allowed?: readonly string[];
  /** ISO timestamp of the earliest instant that may be asked for, where one is too early. */
  readonly earliest?: string;
  /** Position in a text that was sent, counted from 1. */
  readonly line?: number;
  readonly column?: number;
}

export interface HeadwaterErrorInit {
  /** Code of the table in contracts, e.g. `VALIDATION_ERROR`. */
  readonly code: string;
  /** HTTP status, 400 to 599. */
  readonly status: number;
  /** Text for the caller. Text for operators alone goes into `cause`. */
  readonly publicMessage: string;
  readonly details?: readonly ErrorDetail[];
  /** True when the same call may succeed later without a change. Default false. */
  readonly retriable?: boolean;
  readonly cause?: unknown;
  /** Members some codes add to the error body, e.g. `limit` or `from`. */
  readonly extra?: Readonly<Record<string, unknown>>;
}

/** The one error class of the system. Expected outcomes are values; this is thrown where a call cannot go on. */
export class HeadwaterError extends Error {
  override readonly name = "HeadwaterError";
  readonly code: string;
  readonly status: number;
  readonly publicMessage: string;
  readonly details: readonly ErrorDetail[];
  readonly retriable: boolean;
  readonly extra: Readonly<Record<string, unknown>>;

  constructor(init: HeadwaterErrorInit) {
    super(init.publicMessage, init.cause === undefined ? undefined : { cause: init.cause });
    this.code = init.code;
    this.status = init.status;
    this.publicMessage = init.publicMessage;
    this.details = init.details ?? [];
    this.retriable = init.retriable ?? false;
    this.extra = init.extra ?? {};
  }
}
