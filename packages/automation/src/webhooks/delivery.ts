import { toTimestamp } from "@headwater/contracts";
import { z } from "zod";

const [SECOND_MS, MINUTE_MS, HOUR_MS] = [1_000, 60_000, 3_600_000] as const;
/** Pauses after the first try, the second, and so on; after the last one a delivery has failed. */
const PAUSES_MS = [5 * SECOND_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 5 * HOUR_MS, 10 * HOUR_MS, 10 * HOUR_MS];
/** A receiver puts the next try off by no more. */
const RETRY_AFTER_MAX_MS = HOUR_MS;
/** Tries of a delivery that are kept: those of two rounds, the last ones. */
const TRIES_MAX = 16;
/** An endpoint that has failed for so long, without a success, is disabled. */
export const FAILING_MAX_MS = 5 * 24 * HOUR_MS;
/** Time for which events and their deliveries are kept. */
export const RETENTION_MS = 30 * 24 * HOUR_MS;

export const deliveryStates = ["pending", "delivered", "failed", "kept"] as const;
export type DeliveryState = (typeof deliveryStates)[number];

const tryShape = z.object({
  /** Milliseconds since 1970. */
  at: z.number(),
  /** Null: nobody answered. */
  status: z.number().nullable(),
  ms: z.number(),
  error: z.string().optional(),
});
export type DeliveryTry = z.output<typeof tryShape>;
const triesShape = z.array(tryShape);

/** Outcome of a call to an endpoint. */
export interface CallOutcome extends DeliveryTry {
  readonly isDelivered: boolean;
  /** The receiver asks for no further calls. */
  readonly isGone: boolean;
  readonly retryAfterMs?: number | undefined;
}

/** A delivery after a call. */
export interface DeliveryEnd {
  readonly state: DeliveryState;
  /** Instant of the next try; null: not by itself. */
  readonly nextAt: number | null;
  /** JSON text. */
  readonly tries: string;
}

/** Returns what a delivery is after a call. @param attempts calls of this round before. */
export function endOf(
  { attempts, tries }: { readonly attempts: number; readonly tries: string },
  { isDelivered, isGone, retryAfterMs = 0, at, status, ms, error }: CallOutcome,
): DeliveryEnd {
  const latest = { at, status, ms, ...(error !== undefined && { error }) };
  const after = JSON.stringify([...readTries(tries), latest].slice(-TRIES_MAX));
  if (isDelivered) return { state: "delivered", nextAt: null, tries: after };
  const pauseMs = PAUSES_MS[attempts];
  if (isGone || pauseMs === undefined) return { state: "failed", nextAt: null, tries: after };
  const nextAt = at + ms + Math.max(pauseMs, Math.min(retryAfterMs, RETRY_AFTER_MAX_MS));
  return { state: "pending", nextAt, tries: after };
}

export function readTries(text: string): DeliveryTry[] {
  return triesShape.parse(JSON.parse(text));
}

/** An event as it is stored. */
export interface StoredEvent {
  readonly type: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** JSON text. */
  readonly data: string;
  readonly isTruncated: boolean;
}

/** Returns the body that is posted of an event. */
export function bodyOf({ type, at, data, isTruncated }: StoredEvent): string {
  const head = JSON.stringify({ type, timestamp: toTimestamp(at) }).slice(0, -1);
  return `${head},"data":${data}${isTruncated ? ',"truncated":true' : ""}}`;
}
