import { PRODUCTS_GROUP } from "@headwater/contracts";
import { type Clock, classifyFailure, type Logger } from "@headwater/kernel";
import { lockOffset, type OffsetKey, openOffset, type Postgres, setOffset, type Transaction } from "@headwater/stores";
import type { BatchContext, BatchVerdict, Codec, LogFrame, StreamBatch, StreamHandler } from "@headwater/topics";
import { createGroupOffsets, holdsOf, markToStore, reopened, storedMark } from "../offsets.ts";
import { findPoison } from "../quarantine/findPoison.ts";
import { quarantine } from "../quarantine/quarantine.ts";
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
  /** Without what was withdrawn. */
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
    const left = await withoutRefused(options, { ...batch, context, error });
    return postgres.transaction((transaction) => store(options, transaction, left));
  }
}

interface Batch extends SeenChanges {
  readonly key: OffsetKey;
  readonly frames: readonly LogFrame[];
}

/** Products, dead letters and the group's offset in one transaction. */
async function store(
  options: ProductsHandlerOptions,
  transaction: Transaction,
  { key, frames, seen, poison }: Batch,
): Promise<BatchVerdict> {
  const [first, last] = [frames[0], frames.at(-1)];
  if (first === undefined || last === undefined) throw new Error("a batch has at least one frame");
  const stored = await lockOffset(transaction, key);
  if (stored.nextOffset !== first.offset) return { kind: "seek", offset: stored.nextOffset };
  const nowMs = options.clock.nowMs();
  await storeObservations(transaction, sightingsOf(seen), nowMs);
  const fresh = await quarantine(transaction, key, poison, { nowMs });
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

/** The batch without the changes that Postgres refuses, found by trials that are rolled back. */
async function withoutRefused(
  { postgres, clock }: ProductsHandlerOptions,
  { context, error, ...batch }: Batch & { readonly context: BatchContext; readonly error: unknown },
): Promise<Batch> {
  const refused = new Set(
    await findPoison(batch.seen, (tried) => {
      context.heartbeat();
      return failsToStore(postgres, tried, clock.nowMs());
    }),
  );
  if (refused.size === 0) throw error;
  const accounts = batch.seen.map(({ account }) => account);
  const poison = [...refused].map(({ account }) => account);
  suspectsSystem({ group: PRODUCTS_GROUP, accounts, poison, cause: error });
  const letters = [...refused].map(({ at }) => toPoison(batch.key, at, error));
  const seen = batch.seen.filter((change) => !refused.has(change));
  return { ...batch, seen, poison: [...batch.poison, ...letters] };
}

/** Thrown at the end of a trial, so that it is rolled back. */
class DryRun extends Error {}

async function failsToStore(postgres: Postgres, changes: readonly SeenChange[], nowMs: number): Promise<boolean> {
  try {
    await postgres.transaction(async (transaction) => {
      await storeObservations(transaction, sightingsOf(changes), nowMs);
      throw new DryRun();
    });
    return false;
  } catch (error) {
    if (error instanceof DryRun) return false;
    if (classifyFailure(error) !== "poison") throw error;
    return true;
  }
}

function sightingsOf(changes: readonly SeenChange[]): PlacedObservation[] {
  return changes.flatMap(({ sightings }) => sightings);
}
