import type { Logger } from "@headwater/kernel";
import { type ISocketFactory, Kafka, type LogEntry, logLevel } from "kafkajs";
import type { KafkaAccess } from "../security/kafkaAccess.ts";
import { kafkajsSecurity } from "../security/kafkajsSecurity.ts";
import { guardIdleTimer } from "./idleTimerGuard.ts";

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
