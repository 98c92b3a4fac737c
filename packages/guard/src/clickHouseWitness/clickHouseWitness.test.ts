import { createLogger, HeadwaterError, systemClock } from "@headwater/kernel";
import { expect, test } from "vitest";
import { createClickHouseWitness, type WitnessStores } from "./clickHouseWitness.ts";
import type { HeldStore, KnownStore } from "./storeFacts.ts";
import { bulkWithWitness, withWitness } from "./withWitness.ts";

const STREAM = { group: "activities", topic: "intake.records", generation: 1, partition: 0 };
const NAME = "activities/intake.records/1/0";
const WENT_BACK = { code: "STORE_WENT_BACK", status: 503, retriable: true };

/** Two stores in memory that can be emptied, put back and away. */
class MemoryStores implements WitnessStores {
  checks = 0;
  lags = false;
  isAway = false;
  onHeld: () => Promise<void> = async () => undefined;
  identity: string | undefined;
  knownMarks: Record<string, number> = {};
  store: HeldStore | undefined = { identities: [], migrations: 1, tables: [], marks: new Map() };

  async known(): Promise<KnownStore> {
    const { identity, knownMarks: marks } = this;
    return { identity, isEstablished: identity !== undefined, migrations: 1, tables: {}, marks };
  }
  async held(): Promise<HeldStore | undefined> {
    this.checks += 1;
    await this.onHeld();
    if (this.isAway) throw new HeadwaterError({ code: "SERVICE_UNAVAILABLE", status: 503, publicMessage: "away" });
    return this.store;
  }
  async isBehind(): Promise<boolean> {
    return this.lags;
  }
  async mark({ ends, known }: Parameters<WitnessStores["mark"]>[0]): Promise<boolean> {
    const { store } = this;
    if (store === undefined || ends.some(() => (store.marks.get(NAME) ?? 0) < (known[NAME] ?? 0))) return false;
    this.store = { ...store, marks: new Map(ends.map(({ to }) => [NAME, to])) };
    return true;
  }
  async establish(identity: string): Promise<void> {
    this.identity = identity;
    if (this.store !== undefined) this.store = { ...this.store, identities: [identity] };
  }
}

function witnessed({ establishes = true } = {}) {
  const stores = new MemoryStores();
  const logger = createLogger({ name: "witness", level: "silent" });
  return { stores, witness: createClickHouseWitness({ stores, establishes, clock: systemClock, logger }) };
}

test("a new installation is given its identity by the process that writes, and by no other", async () => {
  const reader = witnessed({ establishes: false });
  await reader.witness.expectIntact();
  expect(reader.stores.identity).toBeUndefined();
  const { stores, witness } = witnessed();
  await witness.expectIntact();
  expect(stores.store?.identities).toEqual([stores.identity]);
});

test("an identity that another process creates while a reader checks is no other installation's", async () => {
  const { stores, witness } = witnessed({ establishes: false });
  stores.onHeld = async () => {
    if (stores.identity === undefined) await stores.establish("a");
  };
  await witness.expectIntact();
  expect([stores.checks, witness.refusal()]).toEqual([2, undefined]);
  stores.identity = undefined;
  stores.onHeld = async () => undefined;
  await expect(witness.expectIntact()).rejects.toMatchObject(WENT_BACK);
});

test("a store that was emptied is refused until the former one is back", async () => {
  const { stores, witness } = witnessed();
  await witness.expectIntact();
  const former = stores.store;
  stores.store = undefined;
  await expect(witness.expectIntact()).rejects.toMatchObject(WENT_BACK);
  expect(witness.refusal()).toMatchObject(WENT_BACK);
  stores.store = former;
  await witness.expectIntact();
  expect(witness.refusal()).toBeUndefined();
});

test("a store that is away is not refused, and one that was refused stays so while it is away", async () => {
  const { stores, witness } = witnessed();
  await witness.expectIntact();
  stores.isAway = true;
  await expect(witness.expectIntact()).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
  expect(witness.refusal()).toBeUndefined();
  Object.assign(stores, { isAway: false, store: undefined });
  await expect(witness.expectIntact()).rejects.toMatchObject(WENT_BACK);
  stores.isAway = true;
  await expect(witness.expectIntact()).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
  expect(witness.refusal()).toMatchObject(WENT_BACK);
});

test("a replica that lags is behind and has lost nothing", async () => {
  const { stores, witness } = witnessed();
  await witness.expectIntact();
  Object.assign(stores, { store: undefined, lags: true });
  await expect(witness.expectIntact()).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE", retriable: true });
  expect(witness.refusal()).toBeUndefined();
});

test("a mark is written only on top of the mark before", async () => {
  const { stores, witness } = witnessed();
  await witness.expectIntact();
  await witness.mark([{ key: STREAM, to: 5 }]);
  stores.knownMarks = { [NAME]: 5 };
  await witness.mark([{ key: STREAM, to: 9 }]);
  expect(stores.store?.marks.get(NAME)).toBe(9);
  stores.knownMarks = { [NAME]: 9 };
  stores.store = stores.store && { ...stores.store, marks: new Map([[NAME, 5]]) };
  await expect(witness.mark([{ key: STREAM, to: 12 }])).rejects.toMatchObject(WENT_BACK);
  expect(stores.store?.marks.get(NAME)).toBe(5);
});

test("a call is answered by a check that began after it, which it shares with all that wait", async () => {
  const { stores, witness } = witnessed();
  await witness.expectIntact();
  const begun = Promise.withResolvers<void>();
  const opened = Promise.withResolvers<void>();
  stores.onHeld = () => {
    begun.resolve();
    return opened.promise;
  };
  const running = witness.expectIntact();
  await begun.promise;
  // The check that is under way read what was there before.
  const before = stores.store;
  stores.held = async () => {
    stores.checks += 1;
    return undefined;
  };
  const waiting = Array.from({ length: 100 }, () => witness.expectIntact());
  opened.resolve();
  stores.store = before;
  await running;
  const results = await Promise.allSettled(waiting);
  expect(results.every(({ status }) => status === "rejected")).toBe(true);
  expect(stores.checks).toBe(3);
});

const refuses = { expectIntact: () => Promise.reject(new HeadwaterError({ ...WENT_BACK, publicMessage: "lost" })) };
const passes = { expectIntact: async () => undefined };
const rows = async <Row>(): Promise<Row[]> => [];
const fails = () => Promise.reject(new Error("UNKNOWN_TABLE"));
const client = {
  query: rows,
  insertBlock: fails,
  command: fails,
  ping: async () => undefined,
  close: async () => undefined,
};

test("an answer counts when ClickHouse is intact after it was read; an error of one that went back says so", async () => {
  expect(await withWitness(client, passes).query("SELECT 1")).toEqual([]);
  await expect(withWitness(client, refuses).query("SELECT 1")).rejects.toMatchObject(WENT_BACK);
  await expect(withWitness(client, refuses).command("DELETE")).rejects.toMatchObject(WENT_BACK);
  await expect(withWitness(client, passes).command("DELETE")).rejects.toThrow("UNKNOWN_TABLE");
  await expect(withWitness(client, refuses).ping()).rejects.toMatchObject(WENT_BACK);
});

test("a long answer ends well only when ClickHouse is intact at its end", async () => {
  async function* chunks() {
    yield Buffer.from("a");
  }
  const bulk = { read: chunks, run: async () => undefined, close: async () => undefined };
  const statement = { sql: "SELECT 1", signal: new AbortController().signal };
  const read = async (witness: typeof refuses | typeof passes) => {
    const texts: string[] = [];
    for await (const chunk of bulkWithWitness(bulk, witness).read(statement)) texts.push(chunk.toString());
    return texts;
  };
  expect(await read(passes)).toEqual(["a"]);
  await expect(read(refuses)).rejects.toMatchObject(WENT_BACK);
  await expect(bulkWithWitness(bulk, refuses).run(statement)).rejects.toMatchObject(WENT_BACK);
});
