import type { Clock } from "@headwater/kernel";
import type { OffsetKey, OpenOffset } from "@headwater/postgres/streams/streamOffsets";
import type { LogCounts } from "./logCounts.ts";

/** Offset that `state` had reached in a partition a minute ago or earlier; 0 when nothing is known of so long ago. */
export type Passed = (at: Omit<OffsetKey, "group">) => Promise<number>;

const AGO_MS = 60_000;

interface Ports {
  readonly counts: Pick<LogCounts, "stateOffsets">;
  readonly clock: Pick<Clock, "monotonicMs">;
}

/**
 * Remembers the batches that were passed. Whoever has just read the offsets of `state` compares the counts at that place, so batches are kept a
 * minute longer than it needs to pass them. Two looks at its offsets are remembered, each for a minute.
 */
export function createPassed({ counts, clock }: Ports): Passed {
  let before: readonly OpenOffset[] = [];
  let recent: readonly OpenOffset[] = [];
  let lookedAtMs = Number.NEGATIVE_INFINITY;
  return async ({ topic, partition, generation }) => {
    const nowMs = clock.monotonicMs();
    if (nowMs - lookedAtMs >= AGO_MS) {
      lookedAtMs = nowMs;
      before = recent;
      recent = await counts.stateOffsets();
    }
    const isSame = (row: OpenOffset) =>
      row.topic === topic && row.partition === partition && row.generation === generation;
    return before.find(isSame)?.nextOffset ?? 0;
  };
}
