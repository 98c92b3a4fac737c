import { versionOf } from "@headwater/contracts";
import { createLogger, manualClock } from "@headwater/kernel";
import { parseProduct } from "@headwater/records/products/product";
import { MemoryProducts, productStoreContract } from "@headwater/testing";
import type { BatchContext, LogFrame, StreamHandler } from "@headwater/topics";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { createProductsHandler } from "./productsHandler.ts";

const at = { topic: "changes.orders", partition: 3 };
const logger = createLogger({ name: "test", level: "silent" });
const clock = manualClock(5_000);

describe("products in memory keep the contract of those in Postgres", () => {
  test.each(productStoreContract)("%s", (_promise, check) => {
    const store = new MemoryProducts();
    const of = (account: number) => [...store.products.values()].filter((row) => row.account === account);
    const stored = async () => of(1).map(({ productId, doc }) => [productId, doc] as const);
    return check({ store, stored });
  });
});

let products: MemoryProducts;
let quarantined: number;
/** The registry is away. */
let isAway: boolean;
let beats: number;
beforeEach(() => {
  [products, quarantined, isAway, beats] = [new MemoryProducts(), 0, false, 0];
});

const context: BatchContext = {
  heartbeat: () => {
    beats += 1;
  },
  isStale: () => false,
  signal: new AbortController().signal,
};

/** Values say their contents themselves, as JSON text. */
const codec = {
  decode(value: Buffer) {
    if (isAway) throw Object.assign(new Error("connect"), { code: "ECONNREFUSED" });
    const text = value.toString();
    if (!text.startsWith("{")) return { kind: "undecodable" as const, reason: "not JSON" };
    return { kind: "decoded" as const, subject: at.topic, value: JSON.parse(text) };
  },
};

function owner(): StreamHandler {
  const onQuarantined = (records: number) => {
    quarantined += records;
  };
  return createProductsHandler({ products, codec, clock, logger, onQuarantined });
}

function frame(offset: number, value: string): LogFrame {
  return { offset, timeMs: 1_000 + offset, key: undefined, value: Buffer.from(value), headers: {} };
}
const frameOf = (offset: number, ...changes: readonly unknown[]) => frame(offset, JSON.stringify({ changes }));

/** An order of an account that names products. */
function order(account: number, atMs: number, ...productIDs: readonly string[]) {
  const items = productIDs.map((productID) => ({ productID, sku: "s", name: `${productID} at ${atMs}` }));
  const version = versionOf(atMs, { lane: 1, partition: 0, offset: 1, place: 0 });
  return { account, contact: 1, orderId: "o", version, purchasedAt: atMs, order: { items } };
}

async function send(handler: StreamHandler, ...frames: readonly LogFrame[]) {
  await handler.start({ ...at, low: 0, high: 100 });
  return handler.batch({ ...at, frames, highWatermark: 100 }, context);
}

const names = () =>
  [...products.products.values()]
    .map(({ account, doc }) => `${account}: ${parseProduct(doc).members.get("productName")?.[0]}`)
    .sort();
const offset = async () => (await products.open({ ...at, low: 0 })).nextOffset;
const positions = () => products.quarantined.map(({ offset, place: position }) => `${offset}:${position}`);

test("items of orders become products of their account, with the offset behind them", async () => {
  expect(await send(owner(), frameOf(0, order(7, 10, "a")), frameOf(1, order(8, 20, "a")))).toEqual({
    kind: "next",
    offset: 2,
  });
  expect(names()).toEqual(["7: a at 10", "8: a at 20"]);
  expect(await offset()).toBe(2);
});

test("the later order names a product, whichever comes first and wherever batches end", async () => {
  const handler = owner();
  await send(handler, frameOf(0, order(7, 20, "a"), order(7, 10, "a", "b")));
  await send(handler, frameOf(1, order(7, 15, "a")), frameOf(2, order(7, 30, "b")));
  expect(names()).toEqual(["7: a at 20", "7: b at 30"]);
});

describe("bad records", () => {
  test("a message that no schema reads and a change of another shape are quarantined, and their neighbours applied", async () => {
    const foreign = { account: "seven" };
    await send(owner(), frame(0, "no JSON"), frameOf(1, order(7, 10, "a"), foreign), frameOf(2, order(7, 10, "b")));
    expect(names()).toEqual(["7: a at 10", "7: b at 10"]);
    expect(positions()).toEqual(["0:-1", "1:1"]);
    expect([quarantined, await offset()]).toEqual([2, 3]);
  });

  test("a change that the store refuses is quarantined alone, and the process heartbeats while it is searched", async () => {
    const changes = ["a", "b", "bad\u0000", "c"].map((id) => order(7, 10, id));
    expect(await send(owner(), frameOf(0, ...changes))).toEqual({ kind: "next", offset: 1 });
    expect(names()).toEqual(["7: a at 10", "7: b at 10", "7: c at 10"]);
    expect(positions()).toEqual(["0:2"]);
    expect(beats).toBeGreaterThan(1);
  });

  test("a store that refuses most of the accounts of a batch stops the group, and quarantines none", async () => {
    const changes = Array.from({ length: 12 }, (_, index) => order(index + 1, 10, "bad\u0000"));
    await expect(send(owner(), frameOf(0, ...changes))).rejects.toThrow("suspecting a systemic fault");
    expect([names(), positions(), await offset()]).toEqual([[], [], 0]);
  });

  test("bad records that come again are quarantined and counted once", async () => {
    const apply = products.apply.bind(products);
    vi.spyOn(products, "apply").mockImplementationOnce(async (...input) => {
      await apply(...input);
      throw Object.assign(new Error("killed"), { code: "ECONNRESET" });
    });
    await expect(send(owner(), frame(0, "no JSON"))).rejects.toThrow("killed");
    expect(await send(owner(), frame(0, "no JSON"))).toEqual({ kind: "seek", offset: 1 });
    expect(positions()).toEqual(["0:-1"]);
  });
});

describe("a process killed", () => {
  const killed = async () => {
    throw Object.assign(new Error("killed"), { code: "ECONNRESET" });
  };
  /** Each kills the process at one step of the first transaction. */
  const steps = ["load", "lock", "save", "quarantine"] as const;

  test.each(steps)("at %s leaves nothing, and the next owner applies the batch once", async (step) => {
    const apply = products.apply.bind(products);
    vi.spyOn(products, "apply").mockImplementationOnce((key, batch, run) =>
      apply(key, batch, (writes) => {
        vi.spyOn(writes, step).mockImplementationOnce(killed);
        return run(writes);
      }),
    );
    const frames = [frameOf(0, order(7, 10, "a")), frame(1, "no JSON")];
    await expect(send(owner(), ...frames)).rejects.toThrow("killed");
    expect([names(), positions(), await offset()]).toEqual([[], [], 0]);
    expect(await send(owner(), ...frames)).toEqual({ kind: "next", offset: 2 });
    expect([names(), positions()]).toEqual([["7: a at 10"], ["1:-1"]]);
  });

  test("while the registry is away applies nothing, and the batch once it is back", async () => {
    isAway = true;
    await expect(send(owner(), frameOf(0, order(7, 10, "a")))).rejects.toThrow("connect");
    expect([names(), await offset()]).toEqual([[], 0]);
    isAway = false;
    await send(owner(), frameOf(0, order(7, 10, "a")));
    expect(names()).toEqual(["7: a at 10"]);
  });
});

describe("the fence", () => {
  test("of two owners of a partition one applies a batch, and the other is sent behind it", async () => {
    const [slow, quick] = [owner(), owner()];
    await Promise.all([slow, quick].map((one) => one.start({ ...at, low: 0, high: 100 })));
    const batch = { ...at, frames: [frameOf(0, order(7, 10, "a"))], highWatermark: 100 };
    const verdicts = await Promise.all([slow.batch(batch, context), quick.batch(batch, context)]);
    expect(verdicts.map(({ kind }) => kind).sort()).toEqual(["next", "seek"]);
    expect(await offset()).toBe(1);
  });

  test.each([0, 3])("a batch from offset %i, not the stored one, is sent to the stored one", async (from) => {
    const handler = owner();
    await send(handler, frameOf(0, order(7, 10, "a")), frameOf(1, order(7, 10, "b")));
    expect(await send(handler, frameOf(from, order(7, 99, "a")))).toEqual({ kind: "seek", offset: 2 });
    expect(names()).toEqual(["7: a at 10", "7: b at 10"]);
  });

  test("a new owner begins where the last one ended, with the mark of the frame before", async () => {
    await send(owner(), frameOf(0, order(7, 10, "a")));
    const { fromOffset, mark } = await owner().start({ ...at, low: 0, high: 100 });
    expect([fromOffset, mark?.offset]).toEqual([1, 0]);
  });
});

test("change events that were withdrawn are left out, and the offset moves behind them", async () => {
  products.ranges = [{ ...at, from: 1, to: 2 }];
  const frames = [frameOf(0, order(7, 10, "a")), frameOf(1, order(7, 20, "b")), frameOf(2, order(7, 30, "c"))];
  expect(await send(owner(), ...frames)).toEqual({ kind: "next", offset: 3 });
  expect(names()).toEqual(["7: a at 10", "7: c at 30"]);
});
