import type { Clock, Logger } from "@headwater/kernel";
import type { TopicAdmin } from "../catalogue/topicAdmin.ts";
import type { SocketFactory } from "../kafka/kafkaClient.ts";
import type { LogReader } from "../kafka/logReader.ts";
import type { KafkaAccess } from "../security/kafkaAccess.ts";
import type { HeldPartition, RunnerObserver, RunnerStatus } from "./runnerApi.ts";
import type { StreamHandler } from "./streamHandler.ts";
import type { OpenSource } from "./streamSource.ts";

export interface StreamConsumerOptions extends KafkaAccess {
  readonly clientId: string;
  readonly groupId: string;
  readonly topics: readonly string[];
  readonly handler: StreamHandler;
  /** Returns the system identifier of the Postgres cluster that the handler stores its results in: each commit names it. */
  readonly store?: () => string | undefined;
  readonly logger: Logger;
  /** Called once, with what nobody can mend by waiting: a bug. The process should end. */
  readonly onFatal: (error: unknown) => void;
  /** Number of partitions that are worked on at a time; default 4. */
  readonly partitionsConcurrently?: number;
  /** Bytes of one fetch of one partition; default 1 MiB. */
  readonly maxBytesPerPartition?: number;
  /** Bounds of one call of `handler.batch`; default 2,000 frames and 2 MiB. */
  readonly batchFramesMax?: number;
  readonly batchBytesMax?: number;
  /** Small batches of all partitions go together, at this interval; one that holds `lingerBytes`, or comes later than that, goes at once. Default 0. */
  readonly lingerMs?: number;
  readonly lingerBytes?: number;
  /** The interval is at most so many times as long as the last batch took: short while the store is idle. Default: always `lingerMs`. */
  readonly lingerTimesBatch?: number;
  /** Time from one fetch that reached the end of the log to the next, so that a trickle is not fetched record by record. Default 0. */
  readonly fetchIntervalMs?: number;
  /** Time without a sign of life after which the group gives the partitions to others; default 15 s. */
  readonly sessionTimeoutMs?: number;
  /** Default 10 s. */
  readonly requestTimeoutMs?: number;
  /** A loop that shows no sign of life for so long is made again; default twice the session timeout and 10 s. */
  readonly stallTimeoutMs?: number;
  /** A batch without heartbeat for so long is fatal; default 5 minutes. */
  readonly handlerTimeoutMs?: number;
  /** Interval at which positions are compared with what the log keeps, which also updates the lag of a quiet partition; default 15 s. */
  readonly lookIntervalMs?: number;
  /** Interval at which positions are committed to Kafka for those who check lag; default 5 s. */
  readonly commitIntervalMs?: number;
  /** Selects the errors of the handler that are worth waiting for; default: those of infrastructure (`classifyFailure`). */
  readonly isRetriable?: (error: unknown) => boolean;
  readonly observer?: RunnerObserver;
  readonly socketFactory?: SocketFactory;
  readonly clock?: Clock;
  /** Another log, for tests. */
  readonly openSource?: OpenSource;
  readonly admin?: Pick<TopicAdmin, "watermarks" | "close">;
  readonly reader?: LogReader;
}

export interface StreamConsumer {
  /** Joins the group; ends after the first attempt. What fails is tried again for ever. */
  start(): Promise<void>;
  /** Partitions held now, where they stand, and how far the log was when it was last checked. */
  positions(): readonly RunnerStatus[];
  /** Partitions that are not read because their log is not the one that was read before: cut, made again, past its retention. */
  held(): readonly HeldPartition[];
  state(): "stopped" | "joining" | "running" | "away";
  /** Ends running batches at their next good position, leaves the group. Batches that take longer are aborted. */
  stop(timeoutMs?: number): Promise<void>;
}
