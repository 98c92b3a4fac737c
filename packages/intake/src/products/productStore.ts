import { PRODUCTS_GROUP } from "@headwater/contracts";
import { readWithdrawnRanges, type WithdrawnRange } from "@headwater/guard/consistency/storeRecoveries";
import type { Postgres } from "@headwater/postgres/connection/postgres";
import { withSavepoint } from "@headwater/postgres/connection/savepoint";
import type { Transaction } from "@headwater/postgres/connection/session";
import type { OffsetMark } from "@headwater/postgres/streams/offsetMark";
import {
  lockOffset,
  type OffsetKey,
  type OpenOffset,
  openOffset,
  setOffset,
} from "@headwater/postgres/streams/streamOffsets";
import {
  loadProducts,
  lockProducts,
  type ProductKey,
  type StoredProduct,
  saveProducts,
} from "@headwater/records/products/postgres";
import type { StartOf, StreamHandler, TopicPartition } from "@headwater/topics";
import { type Poison, quarantine } from "../quarantine/quarantine.ts";
import { createGroupOffsets, holdsOf } from "../streams/offsets.ts";

/** Rows of products within a transaction. */
export interface ProductRows {
  /** Returns the products that are there, deleted ones too. */
  load(keys: readonly ProductKey[]): Promise<readonly StoredProduct[]>;
  /** Locks the products and returns them all; missing ones are made, without members. */
  lock(keys: readonly ProductKey[], nowMs: number): Promise<readonly StoredProduct[]>;
  /** Overwrites locked products. */
  save(rows: readonly StoredProduct[]): Promise<void>;
}

/** Writes of one batch. */
export interface ProductWrites extends ProductRows {
  /** Runs a part that leaves nothing behind when it fails; the batch goes on. */
  savepoint<Result>(run: (part: ProductRows) => Promise<Result>): Promise<Result>;
  /** Quarantines positions of the partition, with their dead letters. @returns those that were not quarantined before. */
  quarantine(poison: readonly Poison[], nowMs: number): Promise<readonly Poison[]>;
}

/** Frames of a batch, as far as the offset goes. */
export interface ProductBatch {
  readonly firstOffset: number;
  readonly nextOffset: number;
  /** Time of the batch's last frame. */
  readonly lastTime: number;
  readonly mark: OffsetMark | null;
}

export type Applied<Result> =
  | { readonly kind: "stored"; readonly result: Result }
  /** Another owner was here: nothing was written. */
  | { readonly kind: "elsewhere"; readonly nextOffset: number };

/** Port of products and the group's progress. `productStoreContract` says what implementations promise. */
export interface ProductStore extends Required<Pick<StreamHandler, "held" | "verified">> {
  /** Checks which log the group reads, and opens the partition's row: `low` is next when there is none. */
  open(at: StartOf): Promise<OpenOffset>;
  /** Returns the key under which a partition was opened last. */
  keyOf(at: TopicPartition): OffsetKey;
  /** Reads the ranges of change events that were withdrawn. */
  withdrawn(): Promise<readonly WithdrawnRange[]>;
  /** Runs the writes and moves the offset to the batch's end, all of it or nothing; runs none when the offset is not the batch's first. */
  apply<Result>(
    key: OffsetKey,
    batch: ProductBatch,
    run: (writes: ProductWrites) => Promise<Result>,
  ): Promise<Applied<Result>>;
}

/** Products and progress in Postgres. */
export function createStoredProducts(postgres: Postgres): ProductStore {
  const offsets = createGroupOffsets(postgres, PRODUCTS_GROUP);
  return {
    open: async (at) => openOffset(postgres, await offsets.open(at), at.low),
    keyOf: offsets.keyOf,
    withdrawn: () => readWithdrawnRanges(postgres),
    apply: (key, batch, run) => postgres.transaction((transaction) => apply(transaction, { key, batch, run })),
    ...holdsOf(postgres, offsets.keyOf),
  };
}

interface Application<Result> {
  readonly key: OffsetKey;
  readonly batch: ProductBatch;
  readonly run: (writes: ProductWrites) => Promise<Result>;
}

async function apply<Result>(
  transaction: Transaction,
  { key, batch, run }: Application<Result>,
): Promise<Applied<Result>> {
  const stored = await lockOffset(transaction, key);
  if (stored.nextOffset !== batch.firstOffset) return { kind: "elsewhere", nextOffset: stored.nextOffset };
  const result = await run({
    ...rowsOf(transaction),
    savepoint: (part) => withSavepoint(transaction, (inner) => part(rowsOf(inner))),
    quarantine: (poison, nowMs) => quarantine(transaction, key, poison, { nowMs }),
  });
  const { nextOffset, lastTime, mark } = batch;
  const greatestTime = Math.max(stored.greatestTime, lastTime);
  await setOffset(transaction, key, { ...stored, nextOffset, greatestTime, windowFrom: nextOffset, mark });
  return { kind: "stored", result };
}

function rowsOf(transaction: Transaction): ProductRows {
  return {
    load: (keys) => loadProducts(transaction, keys),
    lock: async (keys, nowMs) => (await lockProducts(transaction, keys, nowMs)).products,
    save: (rows) => saveProducts(transaction, rows),
  };
}
