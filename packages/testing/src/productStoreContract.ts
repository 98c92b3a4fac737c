import { deepEqual, equal, rejects } from "node:assert/strict";
import type { StoredProduct } from "@headwater/records/products/postgres";
import type { MemoryProducts } from "./memoryProducts.ts";

/** Products and progress, with what a test checks. */
export interface ProductsUnderTest {
  readonly store: Pick<MemoryProducts, "open" | "keyOf" | "held" | "withdrawn"> & { readonly apply: Apply };
  /** Ids of the stored products of account 1 with their documents, in the order of their ids. */
  stored(): Promise<readonly (readonly [id: string, doc: string])[]>;
}

interface Rows {
  load(keys: readonly Key[]): Promise<readonly StoredProduct[]>;
  lock(keys: readonly Key[], nowMs: number): Promise<readonly StoredProduct[]>;
  save(rows: readonly StoredProduct[]): Promise<void>;
}

interface Writes extends Rows {
  savepoint<Result>(run: (part: Rows) => Promise<Result>): Promise<Result>;
  quarantine(poison: readonly Poison[], nowMs: number): Promise<readonly Poison[]>;
}

type Apply = <Result>(
  key: ReturnType<MemoryProducts["keyOf"]>,
  batch: Parameters<MemoryProducts["apply"]>[1],
  run: (writes: Writes) => Promise<Result>,
) => Promise<
  { readonly kind: "stored"; readonly result: Result } | { readonly kind: "elsewhere"; readonly nextOffset: number }
>;

type Key = Pick<StoredProduct, "account" | "productId">;
interface Poison extends Omit<ReturnType<typeof poisonAt>, "letter" | "error"> {
  readonly letter: DeadLetter;
  readonly error: unknown;
}
type DeadLetter = Omit<ReturnType<typeof poisonAt>["letter"], "payload"> & { readonly payload: unknown };

const AT = { topic: "changes.orders", partition: 3 };
const NOW = 9;

function batch(firstOffset: number, nextOffset: number) {
  return { firstOffset, nextOffset, lastTime: nextOffset, mark: { print: "0123456789abcdef", epoch: 2 } };
}

function poisonAt(offset: number, position: number) {
  const of = { account: 1, recordId: `r${offset}:${position}`, requestId: "", itemIndex: 0, operation: AT.topic };
  const deadLetter = { ...of, version: "0".repeat(32), receivedAt: 1, payload: {} };
  return { offset, place: position, letter: deadLetter, error: new TypeError("not a change") };
}

async function opened({ store }: ProductsUnderTest) {
  await store.open({ ...AT, low: 4 });
  return store.keyOf(AT);
}

const nextOffset = async ({ store }: ProductsUnderTest) => (await store.open({ ...AT, low: 0 })).nextOffset;

/** Locks and saves products of the ids. */
async function write(rows: Rows, ...productIds: readonly string[]): Promise<void> {
  const keys = productIds.map((productId) => ({ account: 1, productId }));
  const locked = await rows.lock(keys, NOW);
  await rows.save(locked.map((row) => ({ ...row, doc: `{"id":"${row.productId}"}` })));
}

/** Promises of every store of products, in memory or in Postgres: each is given an empty one in which nothing was opened. */
export const productStoreContract: readonly (readonly [
  promise: string,
  check: (under: ProductsUnderTest) => Promise<void>,
])[] = [
  [
    "products and the offset behind the batch are stored together",
    async (under) => {
      const key = await opened(under);
      const applied = await under.store.apply(key, batch(4, 6), async (writes) => {
        await write(writes, "a", "b");
        const loaded = await writes.load([
          { account: 1, productId: "a" },
          { account: 2, productId: "b" },
        ]);
        return loaded.map(({ account, productId, createdAt, deletedAt }) => [account, productId, createdAt, deletedAt]);
      });
      deepEqual(applied, { kind: "stored", result: [[1, "a", NOW, null]] });
      deepEqual(await under.stored(), [
        ["a", '{"id":"a"}'],
        ["b", '{"id":"b"}'],
      ]);
      const row = await under.store.open({ ...AT, low: 0 });
      deepEqual([row.nextOffset, row.greatestTime, row.mark], [6, 6, batch(0, 0).mark]);
    },
  ],
  [
    "a batch that fails leaves neither products nor letters, and the offset where it was",
    async (under) => {
      const key = await opened(under);
      const failing = under.store.apply(key, batch(4, 6), async (writes) => {
        await write(writes, "a");
        await writes.quarantine([poisonAt(4, 0)], NOW);
        throw new Error("killed");
      });
      await rejects(failing, { message: "killed" });
      deepEqual(await under.stored(), []);
      equal(await nextOffset(under), 4);
      const again = await under.store.apply(key, batch(4, 6), (writes) => writes.quarantine([poisonAt(4, 0)], NOW));
      equal(again.kind === "stored" && again.result.length, 1);
    },
  ],
  [
    "a batch that begins at another offset is not run and gets the stored one",
    async (under) => {
      const key = await opened(under);
      await under.store.apply(key, batch(4, 6), (writes) => write(writes, "a"));
      for (const first of [4, 7]) {
        const run = () => Promise.reject(new Error("it was run"));
        deepEqual(await under.store.apply(key, batch(first, 9), run), { kind: "elsewhere", nextOffset: 6 });
      }
      equal(await nextOffset(under), 6);
    },
  ],
  [
    "of two owners that apply a batch at once one stores it, and the other gets the offset behind it",
    async (under) => {
      const key = await opened(under);
      const apply = () => under.store.apply(key, batch(4, 6), (writes) => write(writes, "a"));
      const kinds = (await Promise.all([apply(), apply()])).map(({ kind }) => kind);
      deepEqual(kinds.sort(), ["elsewhere", "stored"]);
      equal(await nextOffset(under), 6);
    },
  ],
  [
    "a savepoint that fails leaves nothing behind, and the batch goes on",
    async (under) => {
      const key = await opened(under);
      await under.store.apply(key, batch(4, 6), async (writes) => {
        await writes.savepoint((part) => write(part, "a"));
        await rejects(writes.savepoint((part) => write(part, "b", "c\u0000")));
        await writes.savepoint((part) => write(part, "d"));
      });
      deepEqual(
        (await under.stored()).map(([id]) => id),
        ["a", "d"],
      );
      equal(await nextOffset(under), 6);
    },
  ],
  [
    "a place is quarantined once",
    async (under) => {
      const key = await opened(under);
      const quarantine = (from: number, positions: readonly number[]) =>
        under.store.apply(key, batch(from, from + 1), async (writes) => {
          const fresh = await writes.quarantine(
            positions.map((place) => poisonAt(4, place)),
            NOW,
          );
          return fresh.map(({ place }) => place);
        });
      deepEqual(await quarantine(4, [0, 1]), { kind: "stored", result: [0, 1] });
      deepEqual(await quarantine(5, [1, 2]), { kind: "stored", result: [2] });
    },
  ],
  [
    "a partition says why it is held until it goes on",
    async (under) => {
      await opened(under);
      await under.store.held(AT, "the log was cut");
      equal((await under.store.open({ ...AT, low: 0 })).heldWhy, "the log was cut");
      await under.store.held(AT, undefined);
      equal((await under.store.open({ ...AT, low: 0 })).heldWhy, null);
      deepEqual(await under.store.withdrawn(), []);
    },
  ],
];
