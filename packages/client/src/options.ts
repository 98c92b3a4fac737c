import { BATCH_BYTES_MAX, ITEM_BYTES_MAX } from "./operations.ts";
import type { RetryEvent } from "./persist.ts";

export interface ClientOptions {
  /** Address of the intake API: HTTPS; plain HTTP only on this machine. A path is kept as a prefix. */
  readonly url: string;
  /** Address of the v2 API, which serves receipts. Default: `url`, for both behind one host. */
  readonly serviceUrl?: string;
  readonly apiKey: string;
  readonly batch?: {
    /** Default and upper bound: what the operation takes. */
    readonly items?: number;
    /** Size of JSON before compression. Default 1 MiB, 256 KiB to 9 MiB. */
    readonly bytes?: number;
    /** Time an item waits for others while no request of its operation is under way. Default 10. */
    readonly lingerMs?: number;
  };
  readonly buffer?: {
    /** Items that are held until they are resolved. Default 10,000. */
    readonly items?: number;
    /** Size of their JSON. Default 64 MiB, at least 256 KiB. */
    readonly bytes?: number;
    /** Calls of `send` and `room` that may wait for space. Default 10,000. */
    readonly waiting?: number;
  };
  /**
   * Requests of one operation that may be under way. Default 1: the items of an operation reach the log in the order in which
   * they were sent, retries included. More are faster over long ways and give that order up.
   */
  readonly requestsInFlightMax?: number;
  /** Bodies of at least so many characters are compressed. Default 1,024; Infinity: none. */
  readonly gzipFromBytes?: number;
  /** Timeout of one attempt. Default 30,000. */
  readonly requestTimeoutMs?: number;
  readonly retry?: {
    /** Upper bound of the first wait. Default 100. */
    readonly minMs?: number;
    /** Upper bound of later waits, which double. Default 10,000. */
    readonly maxMs?: number;
    /** Default five minutes; at most a day, for the API knows an Idempotency-Key for three. */
    readonly giveUpAfterMs?: number;
  };
  /** Called before each wait for another attempt. */
  readonly onRetry?: (event: RetryEvent) => void;
}

const DAY_MS = 86_400_000;
/** Space for the envelope around the items of a body. */
const ENVELOPE_BYTES = 1024 * 1024;

const DEFAULTS = {
  batchBytes: 1024 * 1024,
  lingerMs: 10,
  bufferItems: 10_000,
  bufferBytes: 64 * 1024 * 1024,
  waiting: 10_000,
  gzipFromBytes: 1_024,
  requestTimeoutMs: 30_000,
  retry: { minMs: 100, maxMs: 10_000, giveUpAfterMs: 300_000 },
} as const;

/** Options with their defaults. @throws TypeError that names what is wrong, and never shows the key. */
export function readOptions(input: ClientOptions) {
  const { batch = {}, buffer = {}, retry = {} } = input;
  const url = readUrl("url", input.url);
  const minMs = within("retry.minMs", retry.minMs ?? DEFAULTS.retry.minMs, [1, DAY_MS]);
  return {
    apiKey: readKey(input.apiKey),
    url,
    serviceUrl: input.serviceUrl === undefined ? url : readUrl("serviceUrl", input.serviceUrl),
    batch: {
      items: within("batch.items", batch.items ?? Number.MAX_SAFE_INTEGER, [1, Number.MAX_SAFE_INTEGER]),
      bytes: within("batch.bytes", batch.bytes ?? DEFAULTS.batchBytes, [
        ITEM_BYTES_MAX,
        BATCH_BYTES_MAX - ENVELOPE_BYTES,
      ]),
      lingerMs: within("batch.lingerMs", batch.lingerMs ?? DEFAULTS.lingerMs, [0, DAY_MS]),
    },
    buffer: {
      items: within("buffer.items", buffer.items ?? DEFAULTS.bufferItems, [1, Number.MAX_SAFE_INTEGER]),
      bytes: within("buffer.bytes", buffer.bytes ?? DEFAULTS.bufferBytes, [ITEM_BYTES_MAX, Number.MAX_SAFE_INTEGER]),
      waiting: within("buffer.waiting", buffer.waiting ?? DEFAULTS.waiting, [0, Number.MAX_SAFE_INTEGER]),
    },
    requestsInFlightMax: within("requestsInFlightMax", input.requestsInFlightMax ?? 1, [1, 64]),
    gzipFromBytes: input.gzipFromBytes ?? DEFAULTS.gzipFromBytes,
    requestTimeoutMs: within("requestTimeoutMs", input.requestTimeoutMs ?? DEFAULTS.requestTimeoutMs, [1, DAY_MS]),
    retry: {
      minMs,
      maxMs: within("retry.maxMs", retry.maxMs ?? Math.max(minMs, DEFAULTS.retry.maxMs), [minMs, DAY_MS]),
      giveUpAfterMs: within("retry.giveUpAfterMs", retry.giveUpAfterMs ?? DEFAULTS.retry.giveUpAfterMs, [0, DAY_MS]),
    },
    onRetry: input.onRetry,
  };
}

function within(name: string, value: number, [min, max]: readonly [number, number]): number {
  if (value >= min && value <= max) return value;
  throw new TypeError(`${name} must be between ${min} and ${max}`);
}

/** Refuses a key that no header may hold: fetch's own error would show it. */
export function readKey(key: string): string {
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw new TypeError("apiKey must be a key, without whitespace");
}

/** The key goes over HTTPS alone, but on this machine. A user name or password in the address would be shown in errors. */
export function readUrl(name: string, text: string): URL {
  const url = URL.parse(text.endsWith("/") ? text : `${text}/`);
  if (url === null) throw new TypeError(`${name} must be a URL`);
  if (url.username !== "" || url.password !== "")
    throw new TypeError(`${name} must not contain a user name or password`);
  if (url.search !== "" || url.hash !== "") throw new TypeError(`${name} must not have a query or fragment`);
  const isLoopback = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname);
  if (url.protocol === "https:" || (url.protocol === "http:" && isLoopback)) return url;
  throw new TypeError(`${name} must be https; http is allowed on this machine only`);
}
