/** `pending` and `deferred` are due some time, `sending` is on its way, all others have ended. */
export type SendState = "pending" | "sending" | "deferred" | "sent" | "failed" | "unknown" | "skipped";

export const SEND_STATES = ["pending", "sending", "deferred", "sent", "failed", "unknown", "skipped"] as const;

/** Names one send. */
export interface SendKey {
  readonly account: number;
  /** Id as it stands in the mcID: of a batch message, or of the day or hour of a template. */
  readonly message: string;
  /** Number of the contact. */
  readonly contact: number;
  /** 1 for a batch message, else the number of the want. */
  readonly n: number;
}

/** A send that is wanted. */
export interface NewSend extends SendKey {
  /** Batch message, template, orchestration or test, as in the mcID. */
  readonly kind: "b" | "a" | "o" | "t";
  /** Id of the contact at that time. */
  readonly cid: string;
  readonly channel: string;
  readonly classification: "promotional" | "transactional";
  /** 1 to 4, the highest goes first. */
  readonly priority: number;
  readonly variant: string | null;
  /** Id of the call that wants it; null for batch messages. */
  readonly want: string | null;
  /** Times that it may go out again after an answer was lost: 0 for promotional messages, else 1, unless `onUnknown` says otherwise. */
  readonly resendsLeft: number;
  /** Address where it is known; each intent sets it again. */
  readonly address: string | null;
  /** Milliseconds since 1970. */
  readonly dueAt: number;
  /** Instant after which it is not handed over any more, milliseconds since 1970; none for most. */
  readonly expiresAt?: number | null;
}

export interface StoredSend extends NewSend {
  readonly state: SendState;
  readonly reason: string | null;
  readonly attempts: number;
  /** Attempts before the last retry that somebody asked for. */
  readonly attemptsBefore: number;
  /** Milliseconds since 1970, as all that follow. */
  readonly createdAt: number;
  /** First intent. */
  readonly firstAt: number | null;
  /** Last change of the state. */
  readonly at: number;
  /** 24 hex characters. */
  readonly transport: string | null;
  readonly code: number | null;
  readonly text: string | null;
}

export const SEND_COLUMNS = `s.account, s.message, s.contact, s.n, s.kind, s.cid, s.channel, s.classification, s.priority, s.variant, s.want,
  s.due_at AS "dueAt", s.expires_at AS "expiresAt", s.state, s.reason, s.attempts,
  s.attempts_before AS "attemptsBefore", s.resends_left AS "resendsLeft", s.created_at AS "createdAt", s.first_at AS "firstAt", s.at, s.transport,
  s.address, s.code, s.text`;

/** Milliseconds of Postgres' clock: leases of all senders end by it. */
export const STORE_NOW = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint";

/** Moves the time of held sends out of every claim's reach: some three thousand years. */
export const HELD_MS = 100_000_000_000_000;

/** End of a waiting send whose message was canceled: one whose answer was lost may have been handed over. */
export const LOST_OR_SKIPPED = "CASE WHEN reason = 'answer-lost' THEN 'unknown' ELSE 'skipped' END";
export const LOST_OR_CANCELED = "CASE WHEN reason = 'answer-lost' THEN reason ELSE 'canceled' END";

/** Arrays of keys, as `unnest` takes them: messages, contacts, numbers. */
export const KEY_ROWS = "unnest($2::text[], $3::bigint[], $4::int[]) AS k (message, contact, n)";
export const SAME_KEY = "s.account = $1 AND s.message = k.message AND s.contact = k.contact AND s.n = k.n";
