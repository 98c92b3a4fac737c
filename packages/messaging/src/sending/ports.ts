import type { PublishedIntents } from "@headwater/contracts";
import type { Clock, Logger } from "@headwater/kernel";
import type { Postgres } from "@headwater/postgres/connection/postgres";
import type { Renderer } from "../renderer/createRenderer.ts";
import type { TrackingTokens } from "../tracking/trackingTokens.ts";
import type { MessageSource } from "./messages/wantedMessage.ts";
import type { SenderMetrics } from "./senderMetrics.ts";
import type { Handovers } from "./transports/handovers.ts";

/** The log of intents: what Postgres committed is known outside of it before anything is handed over. */
export interface IntentLog {
  /** Returns whether intents can be published now: nothing is claimed before. */
  isReady(): boolean;
  /** Resolves when every replica that counts has the intents. @throws a retriable HeadwaterError while Kafka is away. */
  publish(intents: PublishedIntents): Promise<void>;
}

/** Processes in which mails are rendered and put together. */
export type MailRenderer = Pick<Renderer, "render" | "compose">;

/** Ports of a sender. */
export interface SenderPorts {
  readonly postgres: Postgres;
  readonly renders: MailRenderer;
  /** Processes in which messages are tried that have not rendered well before; absent: all are rendered in `renders`. */
  readonly trials?: MailRenderer;
  readonly messages: MessageSource;
  readonly handovers: Handovers;
  readonly intents: IntentLog;
  /** Address that links of messages begin with. */
  readonly trackingUrl: string;
  /** Makes the tokens of links. Absent where the installation has no key: links are left as they are then. */
  readonly tokens: TrackingTokens | undefined;
  readonly metrics: SenderMetrics;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Names one run of this process: a process that starts again is another owner. */
  readonly owner: string;
  /** Lease of a claim in milliseconds; default 60 s. */
  readonly leaseMs?: number;
  /** Longest wait of a stop for servers that have not answered, in milliseconds; default 10 s. */
  readonly stopGraceMs?: number;
  /** Outcomes of a window that goes on are stored within this time, in milliseconds; default 1 s. */
  readonly storeWithinMs?: number;
  /** Bytes of composed messages and their attachments in this process; default 192 MiB. */
  readonly messageBytesMax?: number;
  /** Default `Math.random`: jitter of retries. */
  readonly random?: () => number;
}

export const LEASE_MS = 60_000;
export const WINDOW_SENDS_MAX = 50;
