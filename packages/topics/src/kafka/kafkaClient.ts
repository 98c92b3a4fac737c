import { createRequire } from "node:module";
import type { Logger } from "@headwater/kernel";
import { type ISocketFactory, Kafka, type LogEntry, logLevel } from "kafkajs";
import type { KafkaAccess } from "../security/kafkaAccess.ts";
import { kafkajsSecurity } from "../security/kafkajsSecurity.ts";

export type SocketFactory = ISocketFactory;

export interface KafkaClientOptions extends KafkaAccess {
  readonly clientId: string;
  readonly logger: Logger;
  /** Bounds one request. */
  readonly requestTimeoutMs: number;
  /** Tests put a proxy between us and the brokers with it. */
  readonly socketFactory?: SocketFactory;
}

const CONNECTION_TIMEOUT_MS = 3_000;
/** kafkajs retries for ever by default where it retries at all; our own loops decide what comes after these. */
const RETRY = { retries: 4, initialRetryTime: 60, maxRetryTime: 1_000, factor: 0.2, multiplier: 2 } as const;

/** Makes a kafkajs client with our limits: bounded retries, its timers guarded, its log lines in our log, its connections closed to others. */
export function createKafkaClient(options: KafkaClientOptions): Kafka {
  guardIdleTimer();
  return new Kafka({
    brokers: [...options.brokers],
    clientId: options.clientId,
    connectionTimeout: Math.min(CONNECTION_TIMEOUT_MS, options.requestTimeoutMs),
    requestTimeout: options.requestTimeoutMs,
    enforceRequestTimeout: true,
    retry: { ...RETRY },
    logLevel: logLevel.WARN,
    logCreator: () => (entry) => writeLine(options.logger, entry),
    ...kafkajsSecurity(options.security),
    ...(options.socketFactory === undefined ? {} : { socketFactory: options.socketFactory }),
  });
}

/**
 * kafkajs calls every attempt that failed an error, though most are retried; what is final comes to us as a thrown error
 * and is logged where it is handled. So its lines are for those who look closer.
 */
function writeLine(logger: Logger, entry: LogEntry): void {
  logger.debug({ kafkajs: entry.namespace, detail: entry.log.error, broker: entry.log.broker }, entry.log.message);
}

/** The part of kafkajs' request queue that is guarded. */
interface RequestQueue {
  readonly pending: readonly unknown[];
  /** Milliseconds since 1970 until which the broker asked us to be quiet; -1 when it did not. */
  readonly throttledUntil: number;
}

interface RequestQueuePrototype {
  scheduleCheckPendingRequests: (this: RequestQueue) => void;
}

/**
 * Stops the idle timer of kafkajs 2.2.4, once per process.
 *
 * Its request queue arms a timer after every answer, also when nothing waits: the delay is then `-1 - Date.now()`, which
 * Node turns into 1 ms (and, newer Nodes warn about as `TimeoutNegativeWarning`). When it fires it arms itself
 * again, so each connection wakes the process a thousand times a second for nothing. The guard lets the timer be armed
 * only when a request waits or the broker throttles, which are the two cases the timer is for.
 * @throws Error when kafkajs is no longer built as this expects; its version is pinned.
 */
export function guardIdleTimer(): void {
  const prototype = requestQueuePrototype();
  const original = prototype.scheduleCheckPendingRequests;
  if (original.name === "scheduleOnlyWhenSomethingWaits") {
    return;
  }
  prototype.scheduleCheckPendingRequests = function scheduleOnlyWhenSomethingWaits(this: RequestQueue) {
    if (this.pending.length > 0 || this.throttledUntil > Date.now()) {
      original.call(this);
    }
  };
}

function requestQueuePrototype(): RequestQueuePrototype {
  const RequestQueueClass: unknown = createRequire(import.meta.url)("kafkajs/src/network/requestQueue");
  const prototype: unknown = typeof RequestQueueClass === "function" ? RequestQueueClass.prototype : undefined;
  if (!isRequestQueuePrototype(prototype)) {
    throw new Error("kafkajs has another request queue than 2.2.4: look again at the idle timer guard");
  }
  return prototype;
}

function isRequestQueuePrototype(value: unknown): value is RequestQueuePrototype {
  return (
    typeof value === "object" &&
    value !== null &&
    "scheduleCheckPendingRequests" in value &&
    typeof value.scheduleCheckPendingRequests === "function"
  );
}
