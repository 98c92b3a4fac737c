import type { Clock } from "@headwater/kernel";
import { lockOffset, type OffsetKey, openOffset, type Postgres, setOffset } from "@headwater/stores";
import type { BatchVerdict, Codec, StreamBatch, StreamHandler } from "@headwater/topics";
import { holdsOf, markToStore, storedMark } from "../offsets.ts";
import { readSightings } from "./readSightings.ts";
import { storeSightings } from "./storeSightings.ts";

export const PRODUCTS_GROUP = "products";
export const PRODUCT_TOPICS = ["changes.orders", "changes.carts"] as const;
const GENERATION = 1;

export interface ProductsHandlerOptions {
  readonly postgres: Postgres;
  readonly codec: Pick<Codec, "decode">;
  readonly clock: Clock;
}

/**
 * Makes products of what orders and carts say of them: behind the state, from its change topics, so from both doors and at no cost to
 * the records themselves. Each batch is one transaction with the group's own offset.
 */
export function createProductsHandler(options: ProductsHandlerOptions): StreamHandler {
  return {
    start: async ({ topic, partition, low }) => {
      const row = await openOffset(options.postgres, keyOf(topic, partition), low);
      return { fromOffset: row.nextOffset, mark: storedMark(row) };
    },
    ...holdsOf(options.postgres, ({ topic, partition }) => keyOf(topic, partition)),
    batch: (batch) => storeBatch(options, batch),
  };
}

async function storeBatch(
  { postgres, codec, clock }: ProductsHandlerOptions,
  { topic, partition, frames }: StreamBatch,
): Promise<BatchVerdict> {
  const key = keyOf(topic, partition);
  const sightings = await readSightings(topic, frames, codec);
  const [first, last] = [frames[0], frames.at(-1)];
  if (first === undefined || last === undefined) throw new Error("a batch has at least one frame");
  return postgres.transaction(async (transaction) => {
    const stored = await lockOffset(transaction, key);
    if (stored.nextOffset !== first.offset) return { kind: "seek", offset: stored.nextOffset };
    await storeSightings(transaction, sightings, clock.nowMs());
    const nextOffset = last.offset + 1;
    const greatestTime = Math.max(stored.greatestTime, last.timeMs);
    await setOffset(transaction, key, {
      ...stored,
      nextOffset,
      greatestTime,
      windowFrom: nextOffset,
      mark: markToStore(frames, nextOffset),
    });
    return { kind: "next", offset: nextOffset };
  });
}

function keyOf(topic: string, partition: number): OffsetKey {
  return { group: PRODUCTS_GROUP, topic, generation: GENERATION, partition };
}
