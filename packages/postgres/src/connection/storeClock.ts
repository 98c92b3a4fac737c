import type { Clock } from "@headwater/kernel";
import type { Session } from "./session.ts";

const CHECK_EVERY_MS = 1_000;
const clockStatement = {
  name: "store_clock",
  text: `SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS "nowMs"`,
};

/** Returns Postgres' time, milliseconds since 1970. */
export async function readStoreClock(session: Session): Promise<number> {
  const [row] = await session.query<{ nowMs: number }>(clockStatement);
  return row?.nowMs ?? 0;
}

/** Postgres' clock, which a process carries on by its own monotonic one: a wall clock that jumps changes nothing. */
export interface StoreClock extends Clock {
  /** Reads Postgres' clock where the last reading is a second old. Before the first one `nowMs` is the process' own time. */
  refresh(): Promise<void>;
}

/** @param read Postgres' time, milliseconds since 1970. @param clock the process' own. */
export function createStoreClock(read: () => Promise<number>, clock: Clock): StoreClock {
  let seen: { readonly storeMs: number; readonly at: number } | undefined;
  return {
    nowMs() {
      return seen === undefined ? clock.nowMs() : Math.floor(seen.storeMs + clock.monotonicMs() - seen.at);
    },
    monotonicMs: () => clock.monotonicMs(),
    async refresh() {
      if (seen !== undefined && clock.monotonicMs() - seen.at < CHECK_EVERY_MS) return;
      // By the time of the question, so that this clock is never behind: what is due by Postgres' clock is due by this one.
      const at = clock.monotonicMs();
      seen = { storeMs: await read(), at };
    },
  };
}
