import type { Clock } from "@headwater/kernel";
import type { Session } from "../connection/session.ts";
import { type OpenOffset, readOffsets } from "./streamOffsets.ts";

/** Watch over the progress of some groups. */
export interface OffsetsWatch {
  /** Returns the offsets as they stood at most 20 ms ago: they only rise, so what they say is passed is passed. */
  offsets(): Promise<readonly OpenOffset[]>;
}

const CACHED_MS = 20;

/** One search for all who wait at the same time: a thousand that wait ask Postgres no more often than one. */
export function createOffsetsWatch(session: Session, groups: readonly string[], clock: Clock): OffsetsWatch {
  let seen: readonly OpenOffset[] = [];
  let checkedMs = Number.NEGATIVE_INFINITY;
  let running: Promise<readonly OpenOffset[]> | undefined;
  const check = async () => {
    const startedMs = clock.monotonicMs();
    seen = await readOffsets(session, groups);
    checkedMs = startedMs;
    return seen;
  };
  return {
    offsets() {
      if (clock.monotonicMs() - checkedMs < CACHED_MS) return Promise.resolve(seen);
      running ??= check().finally(() => {
        running = undefined;
      });
      return running;
    },
  };
}
