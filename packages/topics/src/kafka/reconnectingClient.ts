import { type Logger, withTimeout } from "@headwater/kernel";
import { unavailable } from "./unavailable.ts";

interface Connection {
  disconnect(): Promise<void>;
}

export interface ReconnectingClientOptions<Connected extends Connection> {
  /** Resolves when it is connected. */
  readonly connect: () => Promise<Connected>;
  /** Bound of one question, connecting included. */
  readonly timeoutMs: number;
  readonly logger: Logger;
}

const CLOSE_TIMEOUT_MS = 3_000;

/** Keeps one connection to Kafka and takes a new one after any error: kafkajs does not always come back by itself. */
export class ReconnectingClient<Connected extends Connection> {
  readonly #options: ReconnectingClientOptions<Connected>;
  #connected: Promise<Connected> | undefined;

  constructor(options: ReconnectingClientOptions<Connected>) {
    this.#options = options;
  }

  /** @throws HeadwaterError 503, retriable, whatever went wrong. */
  async ask<Answer>(question: (connected: Connected) => Promise<Answer>): Promise<Answer> {
    this.#connected ??= this.#options.connect();
    const asked = this.#connected;
    try {
      return await withTimeout(async () => question(await asked), this.#options.timeoutMs);
    } catch (error) {
      if (this.#connected === asked) this.#connected = undefined;
      void this.#disconnect(asked);
      throw unavailable("Kafka is unavailable.", 1, error);
    }
  }

  async close(): Promise<void> {
    const open = this.#connected;
    this.#connected = undefined;
    if (open !== undefined) await this.#disconnect(open);
  }

  async #disconnect(connected: Promise<Connected>): Promise<void> {
    try {
      await withTimeout(async () => (await connected).disconnect(), CLOSE_TIMEOUT_MS);
    } catch (error) {
      this.#options.logger.debug({ err: error }, "error while closing a connection to Kafka");
    }
  }
}
