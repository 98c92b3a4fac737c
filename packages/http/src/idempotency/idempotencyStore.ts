/** One call under an `Idempotency-Key`. */
export interface KeyedCall {
  /** Its number. */
  readonly account: number;
  /** Method and path. */
  readonly route: string;
  readonly key: string;
}

/** Row that is stored before a keyed call runs. */
export interface Intent {
  readonly requestId: string;
  readonly bodyHash: string;
  readonly leaseMs: number;
}

/** The answer that a repeat gets. */
export interface StoredAnswer {
  readonly status: number;
  /** Any JSON value. */
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export type Begun =
  /** The caller runs it, under this request id: its own, or that of a first call that did not end well. */
  | { readonly kind: "run"; readonly requestId: string }
  | { readonly kind: "answered"; readonly requestId: string; readonly answer: StoredAnswer }
  | { readonly kind: "inProgress" }
  /** The same key came with another body before. */
  | { readonly kind: "reused" };

/**
 * Store of the intents and answers of keyed calls. Every method but `release` throws when it cannot be stored. Without `release`, all of
 * it is part of the transaction of the call's own write, and a rollback undoes the intent.
 */
export interface IdempotencyStore {
  /** Stores the intent, or finds the one that is there; a lease that has run out is taken over. */
  begin(call: KeyedCall, intent: Intent): Promise<Begun>;
  complete(call: KeyedCall, requestId: string, answer: StoredAnswer): Promise<void>;
  /** Ends the lease of a call that failed, so that its retry need not wait. Never rejects: a lease that stays expires. */
  readonly release?: ((call: KeyedCall, requestId: string) => Promise<void>) | undefined;
}

/** A store that commits each step by itself: of calls that write to the log, which has no transaction with it. */
export interface LeaseStore extends IdempotencyStore {
  readonly release: NonNullable<IdempotencyStore["release"]>;
}

/** Reads what a call would meet, and stores nothing. */
export interface AnswerReader {
  /** Returns undefined for a key that no call has. */
  find(call: KeyedCall, intent: Pick<Intent, "bodyHash">): Promise<Begun | undefined>;
}
