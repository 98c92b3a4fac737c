import { PRODUCTS_GROUP } from "@headwater/contracts";
import { type Clock, classifyFailure, type Logger } from "@headwater/kernel";
import { type Postgres, type Transaction, withSavepoint } from "@headwater/stores/postgres";
import { lockOffset, type OffsetKey, openOffset, setOffset } from "@headwater/stores/streams";
import type { BatchContext, BatchVerdict, Codec, LogFrame, StreamBatch, StreamHandler } from "@headwater/topics";
import { createGroupOffsets, holdsOf, markToStore, reopened, storedMark } from "../offsets.ts";
import { applyByHalves, type HalvedRun } from "../quarantine/applyByHalves.ts";
import { type Poison, quarantine } from "../quarantine/quarantine.ts";
import { reportPoison, suspectsSystem } from "../quarantine/report.ts";
import { createWithoutWithdrawn } from "../sink/withdrawnFrames.ts";
import {
  type PlacedObservation,
  readObservations,
  type SeenChange,
  type SeenChanges,
  toPoison,
} from "./readObservations.ts";
import { storeObservations } from "./storeObservations.ts";

export interface ProductsHandlerOptions {
  readonly postgres: Postgres;
  readonly codec: Pick<Codec, "decode">;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly onQuarantined?: (records: number) => void;
}

/**
 * Makes products of what orders and carts say of them: behind the state, from its change topics, so from both doors and at no cost to
 * the records themselves. Each batch is one transaction with the group's own offset.
 */
export function createProductsHandler(options: ProductsHandlerOptions): StreamHandler {
  const offsets = createGroupOffsets(options.postgres, PRODUCTS_GROUP);
  const withoutWithdrawn = createWithoutWithdrawn(options.postgres);
  return reopened({
    start: async (at) => {
      const row = await openOffset(options.postgres, await offsets.open(at), at.low);
      return { fromOffset: row.nextOffset, mark: storedMark(row) };
    },
    ...holdsOf(options.postgres, offsets.keyOf),
    batch: async (batch, context) => {
      const kept = await withoutWithdrawn(batch, batch.frames);
      return storeBatch(options, { key: offsets.keyOf(batch), batch, context, kept });
    },
  });
}

interface Step {
  readonly key: OffsetKey;
  readonly batch: StreamBatch;
  readonly context: BatchContext;
  /** Frames without what was withdrawn. */
  readonly kept: readonly LogFrame[];
}

async function storeBatch(
  options: ProductsHandlerOptions,
  { key, batch: { frames }, context, kept }: Step,
): Promise<BatchVerdict> {
  const { postgres, codec } = options;
  const read = await readObservations(key, kept, codec);
  const batch: Batch = { key, frames, ...read };
  try {
    return await postgres.transaction((transaction) => store(options, transaction, batch));
  } catch (error) {
    if (classifyFailure(error) !== "poison") throw error;
    const apart = (transaction: Transaction, nowMs: number) => storeApart(transaction, { ...batch, context, nowMs });
    return postgres.transaction((transaction) => store(options, transaction, batch, apart));
  }
}

interface Batch extends SeenChanges {
  readonly key: OffsetKey;
  readonly frames: readonly LogFrame[];
}

/**
 * Stores products, dead letters and the group's offset in one transaction.
 * @param apart given when the batch broke before. @returns what it refused.
 */
async function store(
  options: ProductsHandlerOptions,
  transaction: Transaction,
  { key, frames, seen, poison }: Batch,
  apart?: (transaction: Transaction, nowMs: number) => Promise<readonly Poison[]>,
): Promise<BatchVerdict> {
  const [first, last] = [frames[0], frames.at(-1)];
  if (first === undefined || last === undefined) throw new Error("a batch has at least one frame");
  const stored = await lockOffset(transaction, key);
  if (stored.nextOffset !== first.offset) return { kind: "seek", offset: stored.nextOffset };
  const nowMs = options.clock.nowMs();
  const refused = (await apart?.(transaction, nowMs)) ?? [];
  if (apart === undefined) await storeObservations(transaction, sightingsOf(seen), nowMs);
  const fresh = await quarantine(transaction, key, [...poison, ...refused], { nowMs });
  const nextOffset = last.offset + 1;
  const greatestTime = Math.max(stored.greatestTime, last.timeMs);
  await setOffset(transaction, key, {
    ...stored,
    nextOffset,
    greatestTime,
    windowFrom: nextOffset,
    mark: markToStore(frames, nextOffset),
  });
  reportPoison(options, key, fresh);
  return { kind: "next", offset: nextOffset };
}

/** Stores the changes under savepoints. @returns letters of those that Postgres refuses. */
async function storeApart(
  transaction: Transaction,
  { key, seen, context, nowMs }: Batch & { readonly context: BatchContext; readonly nowMs: number },
): Promise<readonly Poison[]> {
  const accounts = seen.map(({ account }) => account);
  const refused: SeenChange[] = [];
  const letters: Poison[] = [];
  const run: HalvedRun = {
    apply: async ({ from, to, isRefused }) => {
      context.heartbeat();
      const sightings = isRefused ? [] : sightingsOf(seen.slice(from, to));
      await withSavepoint(transaction, (part) => storeObservations(part, sightings, nowMs));
    },
    isPoison: (error) => classifyFailure(error) === "poison",
    refused: (index, error) => {
      const change = seen[index];
      if (change === undefined) return;
      refused.push(change);
      letters.push(toPoison(key, change.at, error));
      const poison = refused.map(({ account }) => account);
      suspectsSystem({ group: PRODUCTS_GROUP, accounts, poison, cause: error });
    },
  };
  await applyByHalves(run, seen.length, Math.max(1, seen.length >> 1));
  return letters;
}

function sightingsOf(changes: readonly SeenChange[]): PlacedObservation[] {
  return changes.flatMap(({ sightings }) => sightings);
}
