import type { Account } from "@headwater/contracts";
import type { Clock } from "@headwater/kernel";

export interface RateClass {
  /** Requests a second of one key. */
  readonly perSecond: (account: Account) => number;
  /** Shown on answers of which the key is not known. */
  readonly usual: number;
}

/** State of a key's bucket, as headers say it. */
export interface RateState {
  readonly isAllowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Seconds until the bucket is full again; for a refused request until one more fits, whichever is asked. */
  readonly fullInSeconds: number;
  readonly retryAfterSeconds: number;
  readonly policy: string;
  readonly className: string;
}

export interface RateLimiter {
  /** Takes one request of the key's bucket. */
  take(className: string, key: { readonly id: string; readonly account: Account }): RateState;
  /** A full bucket of the class, for answers without a key. */
  full(className: string): RateState;
}

interface Bucket {
  tokens: number;
  filledAtMs: number;
  limit: number;
  policy: string;
}

const BUCKETS_MAX = 100_000;

/** Token buckets of one second, one a key and class, in this process. */
export function createRateLimiter(classes: Readonly<Record<string, RateClass>>, clock: Clock): RateLimiter {
  const buckets = new Map<string, Map<string, Bucket>>();
  const classOf = (className: string): RateClass => {
    const found = classes[className];
    if (found === undefined) throw new Error(`no rate class ${className}`);
    return found;
  };
  return {
    take(className, { id, account }) {
      const limit = classOf(className).perSecond(account);
      const ofClass = entryOf(buckets, className, () => new Map<string, Bucket>());
      const nowMs = clock.monotonicMs();
      if (ofClass.size > BUCKETS_MAX) deleteOldest(ofClass);
      const bucket = entryOf(ofClass, id, () => newBucket(className, limit, nowMs));
      if (bucket.limit !== limit) Object.assign(bucket, newBucket(className, limit, nowMs));
      return takeOne(bucket, className, nowMs);
    },
    full(className) {
      const { usual: fallback } = classOf(className);
      const policy = policyOf(className, fallback);
      return {
        isAllowed: true,
        limit: fallback,
        remaining: fallback,
        fullInSeconds: 0,
        retryAfterSeconds: 0,
        policy,
        className,
      };
    },
  };
}

function newBucket(className: string, limit: number, nowMs: number): Bucket {
  return { tokens: limit, filledAtMs: nowMs, limit, policy: policyOf(className, limit) };
}

function takeOne(bucket: Bucket, className: string, nowMs: number): RateState {
  const { limit, policy } = bucket;
  const filled = Math.min(limit, bucket.tokens + ((nowMs - bucket.filledAtMs) / 1_000) * limit);
  const isAllowed = filled >= 1;
  bucket.tokens = isAllowed ? filled - 1 : filled;
  bucket.filledAtMs = nowMs;
  return {
    isAllowed,
    limit,
    remaining: Math.floor(bucket.tokens),
    fullInSeconds: Math.ceil((limit - bucket.tokens) / limit),
    retryAfterSeconds: Math.max(1, Math.ceil((1 - bucket.tokens) / limit)),
    policy,
    className,
  };
}

function policyOf(className: string, limit: number): string {
  return `"${className}";q=${limit};w=1`;
}

function entryOf<Value>(map: Map<string, Value>, key: string, make: () => Value): Value {
  const found = map.get(key);
  if (found !== undefined) return found;
  const created = make();
  map.set(key, created);
  return created;
}

function deleteOldest(map: Map<string, unknown>): void {
  const [oldest] = map.keys();
  if (oldest !== undefined) map.delete(oldest);
}
