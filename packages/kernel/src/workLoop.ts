import { pause } from "./backOff.ts";
import { type RetryOptions, retryForever } from "./retry.ts";

export interface WorkLoopOptions extends Pick<RetryOptions, "minMs" | "maxMs" | "onRetry" | "isRetriable"> {
  /** One bounded piece of work. @returns whether there may be more: then the next one follows at once. */
  readonly work: () => Promise<boolean>;
  /** Pause between two checks that found nothing. */
  readonly idleMs: number;
}

/** A part of a process that does its work piece by piece, again when it fails and after a wait when there is none. */
export interface WorkLoop {
  start(): void;
  /** The piece that is under way comes to its end. */
  stop(): Promise<void>;
}

/** Runs work again and again. An error that is not worth another attempt ends the process as one that nobody caught. */
export function createWorkLoop({ work, idleMs, ...retry }: WorkLoopOptions): WorkLoop {
  const stopping = new AbortController();
  const { signal } = stopping;
  let running: Promise<void> = Promise.resolve();
  const run = async () => {
    while (!signal.aborted) {
      const isBusy = await retryForever(work, { ...retry, signal });
      if (!isBusy && !signal.aborted) await pause(idleMs, signal);
    }
  };
  return {
    start() {
      running = run().catch((error: unknown) => {
        if (!signal.aborted) throw error;
      });
    },
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
