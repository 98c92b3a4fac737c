import { AUTOMATION_GROUP, STATE_GROUP } from "@headwater/contracts";
import type { Clock } from "@headwater/kernel";
import type { Postgres } from "@headwater/postgres/connection/postgres";
import type { Session } from "@headwater/postgres/connection/session";
import {
  followGroupWatermark,
  followStreamWatermark,
  type StreamWatermark,
  takeStreamWatermark,
} from "@headwater/postgres/outbox/streamWatermarks";
import { type HighWatermarks, type LogEnd, readLogEnds } from "@headwater/postgres/streams/logEnds";
import { readOffsets } from "@headwater/postgres/streams/streamOffsets";

/** Imports do not hold back timers: a stream of their own keeps them apart, and it may be hours behind. */
const TOPIC = "intake.records";

export interface ProgressPorts {
  readonly postgres: Postgres;
  readonly highWatermarks: HighWatermarks;
  readonly clock: Clock;
}

/** Instants up to which everything that was accepted has arrived, milliseconds since 1970. */
export interface Progress {
  /** Every fact of the live stream from before it was given to the runs. */
  readonly facts: number;
  /** Both stores have everything from before it. */
  readonly stores: number;
}

export interface ProgressWatch {
  current(): Progress;
  /** Looks once how far everything is. */
  refresh(): Promise<void>;
}

/** An instant that is followed: the ends that the log had then, and later how far the outbox was. */
interface Mark {
  readonly atMs: number;
  readonly ends: readonly LogEnd[];
  readonly watermark?: StreamWatermark;
}

type Follow = (session: Session, watermark: StreamWatermark) => Promise<StreamWatermark | "passed">;

/** Follows the records that were accepted before an instant on their way to the runs and to both stores, one instant after the other. */
export function createProgress(ports: ProgressPorts): ProgressWatch {
  const facts = createFollower(ports, (session, mark) => followGroupWatermark(session, mark, AUTOMATION_GROUP));
  const stores = createFollower(ports, followStreamWatermark);
  return {
    current: () => ({ facts: facts.passedMs(), stores: stores.passedMs() }),
    refresh: async () => {
      await Promise.all([facts.refresh(), stores.refresh()]);
    },
  };
}

function createFollower({ postgres, highWatermarks, clock }: ProgressPorts, follow: Follow) {
  let passedMs = 0;
  let mark: Mark | undefined;
  return {
    passedMs: () => passedMs,
    async refresh() {
      if (mark === undefined) {
        const atMs = clock.nowMs();
        const ends = await readLogEnds(postgres, highWatermarks);
        mark = { atMs, ends: ends.filter(({ topic }) => topic === TOPIC) };
      }
      if (mark.watermark === undefined) {
        if (!(await hasApplied(postgres, mark.ends))) return;
        mark = { ...mark, watermark: await postgres.transaction(takeStreamWatermark) };
      }
      if (mark.watermark === undefined) return;
      const followed = await follow(postgres, mark.watermark);
      if (followed !== "passed") {
        mark = { ...mark, watermark: followed };
        return;
      }
      passedMs = Math.max(passedMs, mark.atMs);
      mark = undefined;
    },
  };
}

/** Returns whether `state` has applied everything before the ends. A log that was adopted since is read from another position: it counts. */
async function hasApplied(session: Session, ends: readonly LogEnd[]): Promise<boolean> {
  const rows = await readOffsets(session, [STATE_GROUP]);
  return ends.every(({ topic, partition, generation, next }) => {
    const row = rows.findLast((one) => one.topic === topic && one.partition === partition);
    return next === 0 || (row !== undefined && (row.generation > generation || row.nextOffset >= next));
  });
}
