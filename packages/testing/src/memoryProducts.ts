import type { WithdrawnRange } from "@headwater/guard/consistency/storeRecoveries";
import type { OffsetMark } from "@headwater/postgres/streams/offsetMark";
import type { OffsetKey, OpenOffset } from "@headwater/postgres/streams/streamOffsets";
import type { ProductKey, StoredProduct } from "@headwater/records/products/postgres";
import { MemoryRanges } from "./memoryRanges.ts";

interface PositionInLog {
  readonly offset: number;
  readonly place: number;
}

interface ProductBatch {
  readonly firstOffset: number;
  readonly nextOffset: number;
  readonly lastTime: number;
  readonly mark: OffsetMark | null;
}

type Applied<Result> =
  | { readonly kind: "stored"; readonly result: Result }
  | { readonly kind: "elsewhere"; readonly nextOffset: number };

/** Products and progress in memory: what Postgres keeps in `products`, `quarantined` and `stream_offsets`. It passes `productStoreContract`. */
export class MemoryProducts {
  /** Products by account and id, deleted ones too. */
  products: ReadonlyMap<string, StoredProduct> = new Map();
  /** Positions that were quarantined, in the order of their quarantine. */
  quarantined: readonly PositionInLog[] = [];
  /** Ranges of change events that were withdrawn. */
  ranges: readonly WithdrawnRange[] = [];
  readonly #progress = new MemoryRanges("products");

  open(at: { readonly topic: string; readonly partition: number; readonly low: number }): Promise<OpenOffset> {
    return this.#progress.open(at);
  }

  keyOf(at: { readonly topic: string; readonly partition: number }): OffsetKey {
    return this.#progress.keyOf(at);
  }

  async withdrawn(): Promise<readonly WithdrawnRange[]> {
    return this.ranges;
  }

  async apply<Result>(
    key: OffsetKey,
    { firstOffset, nextOffset, lastTime: greatestTime, mark }: ProductBatch,
    run: (writes: MemoryProductWrites) => Promise<Result>,
  ): Promise<Applied<Result>> {
    const stored = await this.#progress.read(key, 0);
    if (stored.nextOffset !== firstOffset) return { kind: "elsewhere", nextOffset: stored.nextOffset };
    const writes = new MemoryProductWrites(this.products, this.quarantined);
    const result = await run(writes);
    if (!(await this.#progress.advance([{ key, from: firstOffset, to: { nextOffset, greatestTime, mark } }]))) {
      return { kind: "elsewhere", nextOffset: (await this.#progress.read(key, 0)).nextOffset };
    }
    this.products = writes.products;
    this.quarantined = writes.quarantined;
    return { kind: "stored", result };
  }

  held(at: { readonly topic: string; readonly partition: number }, why: string | undefined): Promise<void> {
    return this.#progress.held(at, why);
  }

  verified(at: { readonly topic: string; readonly partition: number }): Promise<void> {
    return this.#progress.verified(at);
  }
}

/** One transaction: it reads what was stored before it and what it wrote itself. */
class MemoryProductWrites {
  products: Map<string, StoredProduct>;
  quarantined: readonly PositionInLog[];

  constructor(products: ReadonlyMap<string, StoredProduct>, quarantined: readonly PositionInLog[]) {
    this.products = new Map(products);
    this.quarantined = quarantined;
  }

  async load(keys: readonly ProductKey[]): Promise<readonly StoredProduct[]> {
    return keys.map((key) => this.products.get(nameOf(key))).filter((row) => row !== undefined);
  }

  async lock(keys: readonly ProductKey[], nowMs: number): Promise<readonly StoredProduct[]> {
    for (const { account, productId } of keys) {
      const key = { account, productId };
      expectStorable(key);
      if (this.products.has(nameOf(key))) continue;
      this.products.set(nameOf(key), { ...key, doc: "{}", createdAt: nowMs, modifiedAt: nowMs, deletedAt: null });
    }
    return this.load(keys);
  }

  async save(rows: readonly StoredProduct[]): Promise<void> {
    for (const row of rows) this.products.set(nameOf(row), row);
  }

  async savepoint<Result>(run: (part: MemoryProductWrites) => Promise<Result>): Promise<Result> {
    const part = new MemoryProductWrites(this.products, this.quarantined);
    const result = await run(part);
    this.products = part.products;
    return result;
  }

  async quarantine<Poison extends PositionInLog>(poison: readonly Poison[]): Promise<readonly Poison[]> {
    const fresh = poison.filter(({ offset, place: position }) => {
      return !this.quarantined.some((known) => known.offset === offset && known.place === position);
    });
    this.quarantined = [...this.quarantined, ...fresh.map(({ offset, place }) => ({ offset, place }))];
    return fresh;
  }
}

/** Postgres keeps no NUL in a text. */
function expectStorable({ productId }: ProductKey): void {
  if (productId.includes("\u0000")) throw new TypeError("invalid byte sequence for encoding: 0x00");
}

function nameOf({ account, productId }: ProductKey): string {
  return `${account}\n${productId}`;
}
