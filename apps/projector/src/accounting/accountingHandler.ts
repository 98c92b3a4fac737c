import { ACCOUNTING_GROUP } from "@headwater/contracts";
import type { Clock } from "@headwater/kernel";
import { addLogBatch, dropLogBatches } from "@headwater/stores/accounting";
import type { Postgres } from "@headwater/stores/postgres";
import { lockOffset, type OffsetKey, openOffset, setOffset } from "@headwater/stores/streams";
import type { BatchVerdict, Codec, StreamBatch, StreamHandler } from "@headwater/topics";
import { createGroupOffsets, holdsOf, markToStore, reopened, storedMark } from "../offsets.ts";
import type { AccountSource } from "../state/readFrames.ts";
import { countFrames } from "./countFrames.ts";
import { createPassed, type Passed } from "./passed.ts";

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
  const offsets = createGroupOffsets(postgres, ACCOUNTING_GROUP);
  return reopened({
    start: async (at) => {
      const row = await openOffset(postgres, await offsets.open(at), at.low);
      return { fromOffset: row.nextOffset, mark: storedMark(row) };
    },
    ...holdsOf(postgres, offsets.keyOf),
    batch: (batch) => countBatch(options, batch, { key: offsets.keyOf(batch), passed }),
  });
}

async function countBatch(
  options: AccountingHandlerOptions,
  { frames }: StreamBatch,
  { key, passed }: { readonly key: OffsetKey; readonly passed: Passed },
): Promise<BatchVerdict> {
  const { postgres, clock } = options;
  const counted = await countFrames(frames, options);
  const madeAt = clock.nowMs();
  const below = await passed(key);
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
