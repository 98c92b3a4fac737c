import { PRODUCTS_GROUP } from "@headwater/contracts";
import { type Clock, classifyFailure, type Logger } from "@headwater/kernel";
import type { OffsetKey } from "@headwater/postgres/streams/streamOffsets";
import type { BatchContext, Codec, LogFrame, NextPosition, StreamBatch, StreamHandler } from "@headwater/topics";
import { applyByHalves, type HalvedRun } from "../quarantine/applyByHalves.ts";
import type { Poison } from "../quarantine/quarantine.ts";
import { reportPoison, suspectsSystem } from "../quarantine/report.ts";
import { createWithoutWithdrawn } from "../sink/withdrawnFrames.ts";
import { markToStore, reopened, storedMark } from "../streams/offsets.ts";
import type { ProductBatch, ProductStore, ProductWrites } from "./productStore.ts";
import {
  type LocatedObservation,
  readObservations,
  type SeenChange,
  type SeenChanges,
  toPoison,
} from "./readObservations.ts";
import { storeObservations } from "./storeObservations.ts";

export interface ProductsHandlerOptions {
  readonly products: ProductStore;
  readonly codec: Pick<Codec, "decode">;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly onQuarantined?: (records: number) => void;
}

/**
 * Makes products of what orders and carts say of them: behind the state, from its change topics, so from both streams and at no cost to
 * the records themselves. Each batch is one transaction with the group's own offset.
 */
export function createProductsHandler(options: ProductsHandlerOptions): StreamHandler {
  const { products } = options;
  const withoutWithdrawn = createWithoutWithdrawn(() => products.withdrawn());
  return reopened({
    start: async (at) => {
      const row = await products.open(at);
      return { fromOffset: row.nextOffset, mark: storedMark(row), generation: row.generation };
    },
    held: (at, reason) => products.held(at, reason),
    verified: (at) => products.verified(at),
    batch: async (batch, context) => {
      const stored = await withoutWithdrawn(batch, batch.frames);
      return applyBatch(options, { key: products.keyOf(batch), batch, context, kept: stored });
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

async function applyBatch(
  options: ProductsHandlerOptions,
  { key, batch: { frames }, context, kept: existing }: Step,
): Promise<NextPosition> {
  const read = await readObservations(key, existing, options.codec);
  const batch: Batch = { key, ...boundsOf(frames), ...read };
  try {
    return await store(options, batch);
  } catch (error) {
    if (classifyFailure(error) !== "poison") throw error;
    return store(options, batch, (writes, nowMs) => storeApart(writes, { ...batch, context, nowMs }));
  }
}

interface Batch extends SeenChanges, ProductBatch {
  readonly key: OffsetKey;
}

function boundsOf(frames: readonly LogFrame[]): ProductBatch {
  const [first, last] = [frames[0], frames.at(-1)];
  if (first === undefined || last === undefined) throw new Error("a batch has at least one frame");
  const nextOffset = last.offset + 1;
  return { firstOffset: first.offset, nextOffset, lastTime: last.timeMs, mark: markToStore(frames, nextOffset) };
}

/**
 * Stores products, dead letters and the group's offset in one transaction.
 * @param apart given when the batch broke before. @returns what it refused.
 */
async function store(
  options: ProductsHandlerOptions,
  batch: Batch,
  apart?: (writes: ProductWrites, nowMs: number) => Promise<readonly Poison[]>,
): Promise<NextPosition> {
  const { key, seen, poison, nextOffset } = batch;
  const nowMs = options.clock.nowMs();
  const applied = await options.products.apply(key, batch, async (writes) => {
    const refused = (await apart?.(writes, nowMs)) ?? [];
    if (apart === undefined) await storeObservations(writes, observationsOf(seen), nowMs);
    return writes.quarantine([...poison, ...refused], nowMs);
  });
  if (applied.kind === "elsewhere") return { kind: "seek", offset: applied.nextOffset };
  reportPoison(options, key, applied.result);
  return { kind: "next", offset: nextOffset };
}

/** Stores the changes under savepoints. @returns dead letters of those that the store refuses. */
async function storeApart(
  writes: ProductWrites,
  { key, seen, context, nowMs }: Batch & { readonly context: BatchContext; readonly nowMs: number },
): Promise<readonly Poison[]> {
  const accounts = seen.map(({ account }) => account);
  const refused: SeenChange[] = [];
  const deadLetters: Poison[] = [];
  const run: HalvedRun = {
    apply: async ({ from, to, isRefused }) => {
      context.heartbeat();
      const observations = isRefused ? [] : observationsOf(seen.slice(from, to));
      await writes.savepoint((part) => storeObservations(part, observations, nowMs));
    },
    isPoison: (error) => classifyFailure(error) === "poison",
    refused: (index, error) => {
      const change = seen[index];
      if (change === undefined) return;
      refused.push(change);
      deadLetters.push(toPoison(key, change.at, error));
      const poison = refused.map(({ account }) => account);
      suspectsSystem({ group: PRODUCTS_GROUP, accounts, poison, cause: error });
    },
  };
  await applyByHalves(run, seen.length, Math.max(1, seen.length >> 1));
  return deadLetters;
}

function observationsOf(changes: readonly SeenChange[]): LocatedObservation[] {
  return changes.flatMap(({ observations }) => observations);
}
