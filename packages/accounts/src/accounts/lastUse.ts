import { type Clock, type Logger, type Part, systemClock } from "@headwater/kernel";
import { plainArray, textArray } from "@headwater/postgres/connection/arrays";
import type { Session } from "@headwater/postgres/connection/session";

export interface KeyUse {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly usedAtMs: number;
}

export interface LastUseOptions {
  readonly session: Session;
  /** Keys that were used at or after that time of this process's wall clock, each with its last use. */
  readonly usedSince: (ms: number) => readonly KeyUse[];
  readonly logger: Logger;
  /** Default 60 s. */
  readonly everyMs?: number;
  /** The clock of `usedSince`. */
  readonly clock?: Clock;
}

const EVERY_MS = 60_000;

/** Rows that another process writes just now are left to it: two that lock each other's rows would wait for ever. */
const writeStatement = {
  text: `WITH used AS (SELECT * FROM unnest($1::text[], $2::float8[]) AS u (id, at_ms)),
    free AS (SELECT k.id, to_timestamp(u.at_ms / 1000) AS at FROM intake.api_keys k JOIN used u ON u.id = k.id
      WHERE k.last_used_at IS NULL OR k.last_used_at < to_timestamp(u.at_ms / 1000) FOR UPDATE OF k SKIP LOCKED)
    UPDATE intake.api_keys k SET last_used_at = free.at FROM free WHERE k.id = free.id`,
};

export async function writeLastUse(session: Session, uses: readonly KeyUse[]): Promise<void> {
  if (uses.length === 0) return;
  const ids = textArray(uses, ({ id }) => id);
  await session.execute(writeStatement, [ids, plainArray(uses, ({ usedAtMs }) => usedAtMs)]);
}

/** Writes once a minute, and at the end, which keys were used: never a write per request. What cannot be written waits. */
export function recordLastUse(options: LastUseOptions): Part {
  const { session, usedSince, logger, everyMs = EVERY_MS, clock = systemClock } = options;
  let timer: NodeJS.Timeout | undefined;
  let writtenToMs = 0;
  let writing = Promise.resolve();
  async function write(): Promise<void> {
    const fromMs = writtenToMs;
    const toMs = clock.nowMs();
    try {
      await writeLastUse(session, usedSince(fromMs));
      writtenToMs = toMs;
    } catch (error) {
      logger.warn({ err: error }, "writing the last use of keys failed, retrying");
    }
  }
  return {
    start: () => {
      timer = setInterval(() => {
        writing = writing.then(write);
      }, everyMs).unref();
    },
    stop: async () => {
      clearInterval(timer);
      await writing.then(write);
    },
  };
}
