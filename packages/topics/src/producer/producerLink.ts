import { backOffMs, type Logger } from "@headwater/kernel";
import type { PartitionAnswer } from "./sendAnswer.ts";

export interface SendTopic {
  readonly topic: string;
  readonly messages: { partition: number; key: string; value: Buffer; headers?: Record<string, string> }[];
}

/** One connected producer with one producer id. */
export interface Sender {
  send(topics: readonly SendTopic[]): Promise<readonly PartitionAnswer[]>;
  /** Lets go of its connections; never waits for what it still owes. */
  close(): void;
}

export type LinkState =
  /** Not started, or the first attempt to connect is under way. */
  | { readonly kind: "starting" }
  | { readonly kind: "ready" }
  /** A send failed: its producer was thrown away and the first attempt to make another is under way. */
  | { readonly kind: "replacing" }
  | { readonly kind: "away"; readonly retryAfterSeconds: number }
  | { readonly kind: "closed" };

export interface LinkEvents {
  /** A new sender is there. */
  ready(): void;
  /** An attempt to connect failed; what waits cannot be sent now. */
  away(error: unknown): void;
}

export interface ProducerLink {
  /** Connects; ends after the first attempt, whatever came of it. Later attempts go on by themselves. */
  start(): Promise<void>;
  state(): LinkState;
  sender(): Sender | undefined;
  /** Throws the present sender away and takes another. Needed after every send that failed, see `createFrameProducer`. */
  replace(): void;
  close(): void;
}

const RETRY = { minMs: 250, maxMs: 5_000, jitter: "equal" } as const;

/** Keeps one connected producer: replaces it on request, and tries again with back-off while Kafka is away. */
export function createProducerLink(
  connect: () => Promise<Sender>,
  events: LinkEvents,
  logger: Logger,
  random: () => number = Math.random,
): ProducerLink {
  let state: LinkState = { kind: "starting" };
  let current: Sender | undefined;
  let retryTimer: NodeJS.Timeout | undefined;
  const isClosed = () => state.kind === "closed";

  async function attempt(failures: number): Promise<void> {
    try {
      const sender = await connect();
      if (isClosed()) return sender.close();
      current = sender;
      state = { kind: "ready" };
      if (failures > 0) logger.info({ failures }, "reconnected to Kafka");
      events.ready();
    } catch (error) {
      if (!isClosed()) retryLater(error, failures + 1);
    }
  }

  function retryLater(error: unknown, failures: number): void {
    const waitMs = backOffMs(failures, { ...RETRY, random });
    state = { kind: "away", retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1_000)) };
    logger.warn({ err: error, failures, waitMs }, "Kafka unavailable, reconnecting");
    retryTimer = setTimeout(() => void attempt(failures), waitMs);
    events.away(error);
  }

  return {
    start: () => attempt(0),
    state: () => state,
    sender: () => current,
    replace() {
      if (state.kind !== "ready") return;
      current?.close();
      current = undefined;
      state = { kind: "replacing" };
      void attempt(0);
    },
    close() {
      clearTimeout(retryTimer);
      current?.close();
      current = undefined;
      state = { kind: "closed" };
    },
  };
}
