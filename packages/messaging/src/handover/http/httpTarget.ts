/** Service that an HTTP transport hands its messages to. */
export interface HttpTarget {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Liquid that renders to JSON; absent: our own envelope. */
  readonly body?: string;
  readonly accepted?: { readonly statuses?: readonly number[] | undefined; readonly idPath?: string | undefined };
  /** The service takes a message once for each `Idempotency-Key`. */
  readonly idempotent?: boolean;
  /** Requests of this process at a time, default 10. */
  readonly connections?: number;
  readonly answerTimeoutSeconds?: number;
}
