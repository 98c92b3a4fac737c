import { backOffMs, type Logger } from "@headwater/kernel";

/** Waiting and trying again, until an end that comes from outside. */
export interface Patience {
  /** Ends after `ms`, at the end, or, where it is asked for, at the next `nudge`. */
  rest(ms: number, nudgeable?: "nudgeable"): Promise<void>;
  nudge(): void;
  /**
   * Tries for ever while the error is worth it, with back-off and jitter.
   * @returns undefined when the end came first, or after an error that is not worth it, which goes to `onFatal`.
   */
  persist<Result>(attempt: () => Promise<Result>): Promise<Result | undefined>;
  end(): void;
  isEnded(): boolean;
}

export interface PatienceOptions {
  /** Names the waiting partition in the log. */
  readonly name: string;
  readonly logger: Logger;
  readonly isRetriable: (error: unknown) => boolean;
  readonly onRetry?: ((error: unknown) => void) | undefined;
  readonly onFatal: (error: unknown) => void;
  readonly random?: () => number;
}

const RETRY = { minMs: 200, maxMs: 10_000, jitter: "equal" } as const;

export function createPatience(options: PatienceOptions): Patience {
  const sleepers = new Set<{ readonly isNudgeable: boolean; readonly wake: () => void }>();
  let isEnded = false;

  async function rest(ms: number, nudgeable?: "nudgeable"): Promise<void> {
    if (isEnded) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const sleeper = { isNudgeable: nudgeable !== undefined, wake: resolve };
    const timer = ms === Number.POSITIVE_INFINITY ? undefined : setTimeout(resolve, ms);
    sleepers.add(sleeper);
    await promise;
    sleepers.delete(sleeper);
    clearTimeout(timer);
  }

  return {
    rest,
    nudge() {
      for (const { isNudgeable, wake } of sleepers) if (isNudgeable) wake();
    },
    async persist(attempt) {
      for (let failures = 1; !isEnded; failures += 1) {
        try {
          return await attempt();
        } catch (error) {
          if (!options.isRetriable(error)) {
            options.onFatal(error);
            return undefined;
          }
          options.onRetry?.(error);
          const restMs = backOffMs(failures, { ...RETRY, random: options.random });
          options.logger.warn({ err: error, who: options.name, failures, restMs }, "dependency unavailable, retrying");
          await rest(restMs);
        }
      }
      return undefined;
    },
    end() {
      isEnded = true;
      for (const { wake } of sleepers) wake();
    },
    isEnded: () => isEnded,
  };
}
