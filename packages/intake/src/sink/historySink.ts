import { type ChangeEvent, HISTORY_GROUP } from "@headwater/contracts";
import { readWithdrawnRanges } from "@headwater/guard/consistency/storeRecoveries";
import type { Postgres } from "@headwater/postgres/connection/postgres";
import type { OffsetKey } from "@headwater/postgres/streams/streamOffsets";
import type { Codec, LogFrame } from "@headwater/topics";
import { readQuarantined } from "../deadLetters/quarantine.ts";
import { changeDeadLetter } from "../quarantine/changeDeadLetter.ts";
import type { Mail, Poison } from "../quarantine/quarantine.ts";
import { firstTables, writeChange } from "./historyRows.ts";
import { type LocatedChange, readChanges, withoutErased } from "./readChanges.ts";
import { PoisonRange, type Sink, type SinkItem, type SinkTables } from "./sink.ts";
import { createSink } from "./toBlocks.ts";
import { createWithoutWithdrawn } from "./withdrawnFrames.ts";

/**
 * State and its history from the change topics. Rows are named by what they are about and their version or revision, so
 * that writing a range twice changes no answer: what was pending is written again, and nothing needs counting.
 */
export function createHistorySink(options: HistorySinkOptions): Sink {
  const withoutWithdrawn = createWithoutWithdrawn(() => readWithdrawnRanges(options.postgres));
  return createSink({
    group: HISTORY_GROUP,
    transform: 1,
    finishes: [1],
    firstTables,
    isCounted: false,
    readable: async () => Number.MAX_SAFE_INTEGER,
    read: async (key, frames) => readItems(options, key, await withoutWithdrawn(key, frames)),
  });
}

export interface HistorySinkOptions {
  readonly codec: Pick<Codec, "decode">;
  readonly postgres: Pick<Postgres, "query" | "execute">;
}

async function readItems(
  { codec, postgres }: HistorySinkOptions,
  key: OffsetKey,
  frames: readonly LogFrame[],
): Promise<readonly ChangeItem[]> {
  const from = frames[0]?.offset ?? 0;
  const to = (frames[frames.length - 1]?.offset ?? 0) + 1;
  const quarantined = await readQuarantined(postgres, key, { from, to });
  const without = new Set(quarantined.map(({ offset, place }) => `${offset}:${place}`));
  const items: ChangeItem[] = [];
  const poison: Poison[] = [];
  for (const frame of frames) {
    const read = await readChanges(key, frame, codec);
    for (const one of read.poison) if (!without.has(`${one.offset}:${one.place}`)) poison.push(one);
    for (const change of read.changes)
      if (!without.has(`${change.offset}:${change.place}`)) items.push(new ChangeItem(change));
  }
  if (poison.length > 0)
    throw new PoisonRange(
      poison,
      [...items, ...poison.map(({ letter: deadLetter }) => deadLetter)].map(({ account }) => account),
    );
  return withoutErased(postgres, items);
}

/** A change event with its rows in ClickHouse. */
class ChangeItem implements SinkItem {
  readonly #placed: LocatedChange;

  constructor(located: LocatedChange) {
    this.#placed = located;
  }

  get offset(): number {
    return this.#placed.offset;
  }

  get place(): number {
    return this.#placed.place;
  }

  get account(): number {
    return this.#placed.change.value.account;
  }

  get change(): ChangeEvent {
    return this.#placed.change;
  }

  write(tables: SinkTables): void {
    writeChange(tables, this.#placed.change, this.#placed.position);
  }

  letter(): Mail {
    const { key, offset, place, timeMs, change } = this.#placed;
    return changeDeadLetter(key, { offset, place, timeMs, value: change.value });
  }
}
