/** One thing wrong with an item. `path` is a JSON pointer into it. */
export interface ErrorDetail {
  readonly path: string;
  readonly code: string;
  readonly message: string;
  /** Accepted values, where the set is closed. */
  readonly allowed?: readonly string[];
  /** Line and column of the text at `path`, from 1. */
  readonly line?: number;
  readonly column?: number;
}

/**
 * - `rejected`: the item is not right; `code`, `path` and `details` say what. It was not accepted, and never will be as it is.
 * - `refused`: the API refused the request: the key, its scope, the address, a receipt that is unknown. Nothing was accepted.
 * - `undelivered`: retries came to their end, or the client was closed; `mayBeAccepted` is true when an answer was lost.
 * - `full`: more calls wait for space than may.
 * - `closed`: the client takes nothing any more; the item was not sent.
 * - `timeout`: the work of a receipt was not at its end in time. Nothing is lost: ask again.
 */
export type ClientErrorKind = "rejected" | "refused" | "undelivered" | "full" | "closed" | "timeout";

export interface ClientErrorInit {
  readonly kind: ClientErrorKind;
  readonly code: string;
  readonly message: string;
  readonly status?: number | undefined;
  readonly path?: string | undefined;
  readonly details?: readonly ErrorDetail[] | undefined;
  readonly requestId?: string | undefined;
  readonly mayBeAccepted?: boolean | undefined;
  readonly cause?: unknown;
}

/** The one error of the client. It holds neither the key nor anything of an item but the names of its members. */
export class ClientError extends Error {
  override readonly name = "ClientError";
  readonly kind: ClientErrorKind;
  /** Code of the API's table, or `CLIENT_CLOSED`, `BUFFER_FULL`, `UNDELIVERED`, `NOT_YET_APPLIED`, `UNREADABLE_ANSWER`. */
  readonly code: string;
  /** HTTP status, where there was an answer. */
  readonly status: number | undefined;
  /** JSON pointer into the item. */
  readonly path: string | undefined;
  readonly details: readonly ErrorDetail[];
  /** Quote it to whoever operates the API. */
  readonly requestId: string | undefined;
  /** Says that an answer was lost: the item may be in the log all the same. */
  readonly mayBeAccepted: boolean;

  constructor(init: ClientErrorInit) {
    super(init.message, init.cause === undefined ? undefined : { cause: init.cause });
    this.kind = init.kind;
    this.code = init.code;
    this.status = init.status;
    this.path = init.path;
    this.details = init.details ?? [];
    this.requestId = init.requestId;
    this.mayBeAccepted = init.mayBeAccepted ?? false;
  }
}

export function closedError(): ClientError {
  return new ClientError({
    kind: "closed",
    code: "CLIENT_CLOSED",
    message: "The client is closed; this was not sent.",
  });
}
