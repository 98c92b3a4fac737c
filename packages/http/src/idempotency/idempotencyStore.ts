/** One call under an Idempotency-Key. */
export interface KeyedCall {
  /** Its number. */
  readonly account: number;
  /** Method and path. */
  readonly route: string;
  readonly key: string;
}

export interface StoredAnswer {
  readonly status: number;
  readonly body: unknown;
  /** Headers that a repeat gets as well; a store may leave them out. */
  readonly headers?: Readonly<Record<string, string>>;
}

export type Begun =
  /** The caller runs it, under this request id: its own, or that of a first call that did not end well. */
  | { readonly kind: "run"; readonly requestId: string }
  | { readonly kind: "answered"; readonly requestId: string; readonly answer: StoredAnswer }
  | { readonly kind: "inProgress" }
  /** The same key came with another body before. */
  | { readonly kind: "reused" };

/** Store of the intents and answers of keyed calls. Every method throws when it cannot be stored. */
export interface IdempotencyStore {
  /** Stores the intent, or finds the one that is there; a lease that has run out is taken over. */
  begin(call: KeyedCall, intent: { requestId: string; bodyHash: string; leaseMs: number }): Promise<Begun>;
  complete(call: KeyedCall, requestId: string, answer: StoredAnswer): Promise<void>;
  /** Ends the lease of a call that failed, so that its retry need not wait. */
  release(call: KeyedCall, requestId: string): Promise<void>;
}
