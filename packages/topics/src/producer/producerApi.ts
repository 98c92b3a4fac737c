import type { Clock, Logger } from "@headwater/kernel";
import type { Codec } from "../codec/codec.ts";
import type { SocketFactory } from "../kafka/kafkaClient.ts";
import type { KafkaAccess } from "../security/kafkaAccess.ts";
import type { Placement } from "./pendingAppend.ts";
import type { FrameAppend, RawMessage } from "./pendingMessage.ts";
import type { LinkState, Sender } from "./producerLink.ts";

export interface FrameProducerOptions extends KafkaAccess {
  readonly clientId: string;
  readonly codec: Pick<Codec, "frame" | "isReady">;
  readonly logger: Logger;
  /** Time that the first record of a send waits for others; default 1 ms. */
  readonly lingerMs?: number;
  /** Bytes of records that may wait or be under way. An account may have as many waiting as are left free. Default 128 MiB. */
  readonly bytesInFlightMax?: number;
  /** Default 500. */
  readonly frameRecordsMax?: number;
  /** Default 512 KiB. A record that is greater is a frame of its own. */
  readonly frameBytesMax?: number;
  /** Bytes of one send over all partitions; default 2 MiB. */
  readonly sendBytesMax?: number;
  /** Bound of one send, retries included; nothing unsent waits longer either. Default 10 s. */
  readonly requestTimeoutMs?: number;
  readonly observer?: ProducerObserver;
  readonly socketFactory?: SocketFactory;
  readonly clock?: Clock;
  /** Replacement of a kafkajs producer, for tests. */
  readonly connect?: () => Promise<Sender>;
}

/** Observes what happens, for metrics. All members are called often and must be quick. */
export interface ProducerObserver {
  /** Bytes that wait or are under way, after every change. */
  queued?(bytes: number): void;
  sent?(send: {
    readonly durationMs: number;
    readonly messages: number;
    readonly records: number;
    readonly bytes: number;
  }): void;
  /** Milliseconds that the brokers' clock is ahead of this process's, by the answer of a send; below 0 when it is behind. */
  brokerClock?(differenceMs: number): void;
  failed?(send: { readonly durationMs: number; readonly records: number; readonly error: unknown }): void;
}

export interface PublishedMessage {
  readonly topic: string;
  readonly partition: number;
  readonly offset: number;
}

export interface FrameProducer {
  /** Connects; ends after the first attempt, whatever came of it. */
  start(): Promise<void>;
  /**
   * Writes a request's records. Resolves only when every partition acknowledged all of them with an offset.
   * @returns one placement per partition.
   * @throws HeadwaterError 429 when the account has more waiting than its share while others wait as well; 503 when the buffer is
   * full or Kafka is away, and after a send that failed; whether the records of a failed send were written is then not known.
   */
  append(append: FrameAppend): Promise<readonly Placement[]>;
  /** Writes ready values with the same guarantees. @returns where each of them is, in the order given. */
  publish(messages: readonly RawMessage[]): Promise<readonly PublishedMessage[]>;
  state(): { readonly link: LinkState["kind"]; readonly queuedBytes: number; readonly isDraining: boolean };
  /** Returns what an account has waiting, and how long until that is sent; `isShared` while others have anything waiting. */
  backlog(account: string): { readonly bytes: number; readonly waitMs: number; readonly isShared: boolean };
  /** Takes nothing more, writes what waits, disconnects. @returns the bytes that were left when the time was up. */
  drain(timeoutMs: number): Promise<{ readonly leftBytes: number }>;
}
