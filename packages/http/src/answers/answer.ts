/** Answer of a handler. */
export interface Answer {
  readonly status: number;
  /** Written as JSON. */
  readonly body?: unknown;
  /** Ready JSON text, in the place of `body`. */
  readonly text?: string;
  /** Bytes as they come, in the place of both, with their own `Content-Type` among the headers. */
  readonly stream?: AsyncIterable<Buffer | string>;
  /** Names in any case; they come on top of those every answer has, and one that it has too takes its place. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Answers under another request's id: a retry that takes over what the first call began. */
  readonly requestId?: string;
  /** Members that only the answer of a dry run has. */
  readonly dryRun?: object;
  /** Items that the call brought and how many of them were taken, for those who count calls. */
  readonly items?: { readonly accepted: number; readonly rejected: number };
}
