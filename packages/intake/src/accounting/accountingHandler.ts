import type { Clock } from "@headwater/kernel";
import type { OffsetKey, OpenOffset } from "@headwater/postgres/streams/streamOffsets";
import type { Codec, NextPosition, StreamBatch, StreamHandler } from "@headwater/topics";
import type { AccountSource } from "../state/readFrames.ts";
import { markToStore, reopened, storedMark } from "../streams/offsets.ts";
import { countFrames } from "./countFrames.ts";
import type { LogCounts } from "./logCounts.ts";

const AGO_MS = 60_000;

export interface AccountingHandlerOptions {
  readonly counts: LogCounts;
  readonly codec: Pick<Codec, "decode">;
  readonly accounts: AccountSource;
  readonly clock: Clock;
}

/**
 * Counts the records of the intake topics once more, with nothing in common with `state` but the log: each batch in one
 * transaction with the group's own offset. What the two counts differ by was lost or doubled.
 */
export function createAccountingHandler(options: AccountingHandlerOptions): StreamHandler {
  const { counts } = options;
  const passed = createPassed(options);
  return reopened({
    start: async (at) => {
      const row = await counts.open(at);
      return { fromOffset: row.nextOffset, mark: storedMark(row), generation: row.generation };
    },
    held: (at, reason) => counts.held(at, reason),
    verified: (at) => counts.verified(at),
    batch: (batch) => countBatch(options, batch, { key: counts.keyOf(batch), passed }),
  });
}

async function countBatch(
  options: AccountingHandlerOptions,
  { frames }: StreamBatch,
  { key, passed }: { readonly key: OffsetKey; readonly passed: Passed },
): Promise<NextPosition> {
  const { counts, clock } = options;
  const counted = await countFrames(frames, options);
  const { nextOffset } = counted;
  const createdAt = clock.nowMs();
  const dropBelow = await passed(key);
  const elsewhere = await counts.add(key, {
    ...counted,
    madeAt: createdAt,
    dropBelow,
    mark: markToStore(frames, nextOffset),
  });
  return elsewhere === undefined ? { kind: "next", offset: nextOffset } : { kind: "seek", offset: elsewhere };
}

/** Offset that `state` had reached in a partition a minute ago or earlier; 0 when nothing is known of so long ago. */
type Passed = (at: Omit<OffsetKey, "group">) => Promise<number>;

interface Ports {
  readonly counts: Pick<LogCounts, "stateOffsets">;
  readonly clock: Pick<Clock, "monotonicMs">;
}

/**
 * Remembers the batches that were passed. Whoever has just read the offsets of `state` compares the counts at that position, so batches are kept a
 * minute longer than it needs to pass them. Two checks of its offsets are remembered, each for a minute.
 */
function createPassed({ counts, clock }: Ports): Passed {
  let before: readonly OpenOffset[] = [];
  let recent: readonly OpenOffset[] = [];
  let checkedMs = Number.NEGATIVE_INFINITY;
  return async ({ topic, partition, generation }) => {
    const nowMs = clock.monotonicMs();
    if (nowMs - checkedMs >= AGO_MS) {
      checkedMs = nowMs;
      before = recent;
      recent = await counts.stateOffsets();
    }
    const isSame = (row: OpenOffset) =>
      row.topic === topic && row.partition === partition && row.generation === generation;
    return before.find(isSame)?.nextOffset ?? 0;
  };
}
