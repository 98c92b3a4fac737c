import type { Logger } from "@headwater/kernel";

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
  /** Who waits, for the log. */
  readonly name: string;
  readonly logger: Logger;
  readonly isRetriable: (error: unknown) => boolean;
  readonly onRetry?: ((error: unknown) => void) | undefined;
  readonly onFatal: (error: unknown) => void;
  readonly random?: () => number;
}

const RETRY_MIN_MS = 200;
const RETRY_MAX_MS = 10_000;
const DOUBLINGS_MAX = 8;

export function createPatience(options: PatienceOptions): Patience {
  const { random = Math.random } = options;
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

  function waitMs(failures: number): number {
    const boundMs = Math.min(RETRY_MAX_MS, RETRY_MIN_MS * 2 ** Math.min(failures, DOUBLINGS_MAX));
    return Math.floor(boundMs / 2 + (random() * boundMs) / 2);
  }

  return {
    rest,
    nudge() {
      for (const { isNudgeable, wake } of sleepers) if (isNudgeable) wake();
    },
    async persist(attempt) {
      for (let failures = 0; !isEnded; failures += 1) {
        try {
          return await attempt();
        } catch (error) {
          if (!options.isRetriable(error)) {
            options.onFatal(error);
            return undefined;
          }
          options.onRetry?.(error);
          const restMs = waitMs(failures);
          options.logger.warn(
            { err: error, who: options.name, failures: failures + 1, restMs },
            "dependency unavailable, retrying",
          );
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
