import type { Clock } from "@headwater/kernel";
import {
  addLogBatch,
  dropLogBatches,
  lockOffset,
  type OffsetKey,
  openOffset,
  type Postgres,
  setOffset,
} from "@headwater/stores";
import type { BatchVerdict, Codec, StreamBatch, StreamHandler } from "@headwater/topics";
import { holdsOf, markToStore, storedMark } from "../offsets.ts";
import type { AccountSource } from "../state/readFrames.ts";
import { INTAKE_GENERATION } from "../state/stateHandler.ts";
import { countFrames } from "./countFrames.ts";
import { createPassed, type Passed } from "./passed.ts";

export const ACCOUNTING_GROUP = "accounting";

export interface AccountingHandlerOptions {
  readonly postgres: Postgres;
  readonly codec: Pick<Codec, "decode">;
  readonly accounts: AccountSource;
  readonly clock: Clock;
}

/**
 * Counts the records of the intake topics once more, with nothing in common with `state` but the log: each batch in one
 * transaction with the group's own offset. What the two counts differ by was lost or doubled.
 */
export function createAccountingHandler(options: AccountingHandlerOptions): StreamHandler {
  const { postgres } = options;
  const passed = createPassed(options);
  return {
    start: async ({ topic, partition, low }) => {
      const row = await openOffset(postgres, keyOf(topic, partition), low);
      return { fromOffset: row.nextOffset, mark: storedMark(row) };
    },
    ...holdsOf(postgres, ({ topic, partition }) => keyOf(topic, partition)),
    batch: (batch) => countBatch(options, batch, passed),
  };
}

async function countBatch(
  options: AccountingHandlerOptions,
  { topic, partition, frames }: StreamBatch,
  passed: Passed,
): Promise<BatchVerdict> {
  const { postgres, clock } = options;
  const key = keyOf(topic, partition);
  const counted = await countFrames(frames, options);
  const madeAt = clock.nowMs();
  const below = await passed(topic, partition);
  return postgres.transaction(async (transaction) => {
    const stored = await lockOffset(transaction, key);
    if (stored.nextOffset !== counted.firstOffset) return { kind: "seek", offset: stored.nextOffset };
    const { nextOffset, lastTime } = counted;
    const greatestTime = Math.max(stored.greatestTime, lastTime);
    const mark = markToStore(frames, nextOffset);
    await Promise.all([
      addLogBatch(transaction, key, { ...counted, madeAt }),
      dropLogBatches(transaction, key, below),
      setOffset(transaction, key, { ...stored, nextOffset, greatestTime, windowFrom: nextOffset, mark }),
    ]);
    return { kind: "next", offset: nextOffset };
  });
}

function keyOf(topic: string, partition: number): OffsetKey {
  return { group: ACCOUNTING_GROUP, topic, generation: INTAKE_GENERATION, partition };
}
