import { setTimeout as sleep } from "node:timers/promises";
import { type Clock, type Logger, type Part, systemClock } from "@headwater/kernel";
import type pg from "pg";
import type { Admission } from "./admission.ts";
import { withOwnConnection } from "./ownConnection.ts";

export interface SoleHolderOptions {
  readonly url: string;
  /** Name that operators see in pg_stat_activity. */
  readonly applicationName: string;
  /** Names what one process of the installation does at a time. */
  readonly duty: string;
  /** A server that is refused has no holder. */
  readonly admission?: Admission | undefined;
  readonly logger: Logger;
  readonly clock?: Clock;
}

/** A process that does something alone, or stands by for the one that does. */
export interface SoleHolder extends Part {
  /**
   * Returns whether this process was the holder a moment ago. Two may say so for a moment after a machine slept: what they do is fenced.
   */
  isHolder(): boolean;
}

const ASK_TIMEOUT_MS = 3_000;
/** Time until another one takes over when the holder's connection has ended. */
const STAND_BY_MS = 250;
const HAND_OVER_MS = 250;
const SIGN_OF_LIFE_MS = 2_000;
/** Postgres ends the session of a holder that sleeps, and so frees the lock; before that the holder has stopped to believe. */
const SESSION_IDLE_MS = 15_000;
const BELIEVED_MS = 10_000;

const lockStatement = "SELECT pg_try_advisory_lock(hashtext('headwater'), hashtext($1)) AS held";

/**
 * Holds a Postgres advisory lock on a connection of its own. Postgres frees it when the connection ends, so another process takes over
 * at once after a kill, and after 15 s when the holder's machine stands still.
 */
export function createSoleHolder(options: SoleHolderOptions): SoleHolder {
  const { url, applicationName, admission, clock = systemClock, duty, logger } = options;
  const stopping = new AbortController();
  let confirmedMs: number | undefined;
  let running: Promise<void> = Promise.resolve();
  const isHolder = () => confirmedMs !== undefined && clock.monotonicMs() - confirmedMs < BELIEVED_MS;

  async function hold(client: pg.Client): Promise<void> {
    client.once("end", () => {
      confirmedMs = undefined;
    });
    await client.query(`SET idle_session_timeout = ${SESSION_IDLE_MS}`);
    while (!stopping.signal.aborted && !(await tryLock(client, duty))) await pause(STAND_BY_MS);
    // What the holder before it has under way ends, or is seen in the store.
    await pause(HAND_OVER_MS);
    logger.info({ duty }, "took over");
    while (!stopping.signal.aborted) {
      const askedMs = clock.monotonicMs();
      await client.query("SELECT 1");
      confirmedMs = askedMs;
      await pause(SIGN_OF_LIFE_MS);
    }
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        const { signal } = stopping;
        const connection = { url, applicationName, admission, signal, answerTimeoutMs: ASK_TIMEOUT_MS, logger };
        await withOwnConnection(connection, hold);
      } catch (error) {
        if (!stopping.signal.aborted) logger.warn({ err: error, duty }, "the lock's connection was lost, standing by");
      }
      confirmedMs = undefined;
      await pause(STAND_BY_MS);
    }
  }

  async function pause(ms: number): Promise<void> {
    const { signal } = stopping;
    await sleep(ms, undefined, { signal }).catch((error: unknown) =>
      logger.debug({ err: error }, "a pause has ended early"),
    );
  }

  return {
    isHolder,
    start() {
      running = run();
    },
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

async function tryLock(client: pg.Client, duty: string): Promise<boolean> {
  const { rows } = await client.query<{ held: boolean }>(lockStatement, [duty]);
  return rows[0]?.held === true;
}
