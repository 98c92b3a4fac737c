import { HeadwaterError } from "@headwater/kernel";
import { WriteConflict } from "@headwater/postgres/connection/writeConflict";
import { TransactionOutlived } from "@headwater/records/unitOfWork/transactionOutlived";
import { beforeEach, describe, expect, test, vi } from "vitest";
import type { StateStore, StateTransaction } from "./stateStore.ts";
import { at, contact, context, frame, frameOf, HIGH, record, StateWorld, upsert } from "./testState.ts";

let world: StateWorld;
beforeEach(() => {
  world = new StateWorld();
});

/** Changes what the first transaction meets. */
function meddle(change: (transaction: StateTransaction) => void): void {
  const transaction = world.state.transaction.bind(world.state);
  vi.spyOn(world.state, "transaction").mockImplementationOnce((fence, run) =>
    transaction(fence, (inner) => {
      change(inner);
      return run(inner);
    }),
  );
}

describe("a process killed", () => {
  const killed = async () => {
    throw Object.assign(new Error("killed"), { code: "ECONNRESET" });
  };
  const steps = [
    "lockAccounts",
    "ensureLists",
    "appliedRecords",
    "lockRejects",
    "loadRows",
    "loadReads",
    "erasedFrom",
    "takeOutboxPositions",
    "storeChanges",
    "appendOutbox",
    "storeEnd",
    "defineWritten",
    "deleteUnusedLists",
  ] as const;

  test.each(steps)("at %s leaves nothing, and the next owner applies the batch once", async (step) => {
    meddle((transaction) => vi.spyOn(transaction, step).mockImplementationOnce(killed));
    const frames = [upsert(0, "ann"), frame(1, "no JSON")];
    await expect(world.send(world.owner(), ...frames)).rejects.toThrow("killed");
    expect([world.cities(), world.refused(), world.state.tables.outbox, await world.offset(), world.stored]).toEqual([
      [],
      [],
      [],
      0,
      0,
    ]);
    expect(await world.send(world.owner(), ...frames)).toEqual({ kind: "next", offset: 2 });
    expect([world.cities(), world.refused().length, world.outcomes()]).toEqual([
      ["ann Bonn"],
      1,
      [{ applied: 1, skipped: 0, copies: 0 }],
    ]);
  });

  test("behind the commit makes the next owner go on, and nothing is applied twice", async () => {
    const transaction = world.state.transaction.bind(world.state);
    vi.spyOn(world.state, "transaction").mockImplementationOnce(async (fence, run) => {
      await transaction(fence, run);
      return killed();
    });
    await expect(world.send(world.owner(), upsert(0, "ann"))).rejects.toThrow("killed");
    const next = world.owner();
    expect((await next.start({ ...at, low: 0, high: HIGH })).fromOffset).toBe(0);
    await next.batch({ ...at, frames: [upsert(0, "ann"), upsert(1, "bob")], highWatermark: HIGH }, context);
    expect(world.outcomes()).toEqual([{ applied: 2, skipped: 0, copies: 0 }]);
    expect(await world.offset()).toBe(2);
  });

  test("with the registry away applies nothing until it is back", async () => {
    world.isAway = true;
    await expect(world.send(world.owner(), upsert(0, "ann"))).rejects.toThrow("connect");
    expect([world.cities(), await world.offset()]).toEqual([[], 0]);
    world.isAway = false;
    await world.send(world.owner(), upsert(0, "ann"));
    expect(world.cities()).toEqual(["ann Bonn"]);
  });
});

describe("the fence", () => {
  test("of two owners of a partition one applies a batch, and the other is sent behind it", async () => {
    const [slow, quick] = [world.owner(), world.owner()];
    await Promise.all([slow, quick].map((one) => one.start({ ...at, low: 0, high: HIGH })));
    const batch = { ...at, frames: [upsert(0, "ann"), upsert(1, "bob")], highWatermark: HIGH };
    const verdicts = await Promise.all([slow.batch(batch, context), quick.batch(batch, context)]);
    expect(verdicts.map(({ kind }) => kind).sort()).toEqual(["next", "seek"]);
    expect([world.outcomes(), await world.offset()]).toEqual([[{ applied: 2, skipped: 0, copies: 0 }], 2]);
  });

  test("frames below the stored offset are looked at and not applied again, those from it on are", async () => {
    await world.send(world.owner(), upsert(0, "ann"), upsert(1, "bob"));
    await world.send(world.owner(), upsert(0, "ann", "Oslo"), upsert(1, "bob", "Oslo"), upsert(2, "cid"));
    expect(world.cities()).toEqual(["ann Bonn", "bob Bonn", "cid Bonn"]);
    expect(await world.offset()).toBe(3);
  });

  test("a batch that begins above the stored offset is sent back to it", async () => {
    await world.send(world.owner(), upsert(0, "ann"));
    expect(await world.send(world.owner(), upsert(5, "bob"))).toMatchObject({ kind: "seek" });
    expect([world.cities(), await world.offset()]).toEqual([["ann Bonn"], 1]);
  });

  test.each([
    ["ends before it", { low: 0, high: 1 }],
    ["begins behind it", { low: 7, high: 9 }],
  ])("a log that %s is another one, and nothing is applied", async (_what, ends) => {
    await world.send(world.owner(), upsert(0, "ann"), upsert(1, "bob"));
    await expect(world.owner().start({ ...at, ...ends })).rejects.toThrow("The log has a gap");
  });

  test("a log that holds another record in front of the stored offset is another one", async () => {
    await world.send(world.owner(), upsert(0, "ann"));
    const other = frameOf(0, "upsertContact", record("other", contact("bob")));
    await expect(world.send(world.owner(), other, upsert(1, "cid"))).rejects.toThrow(
      "holds record other:0:0, not r0:0:0",
    );
    expect(world.cities()).toEqual(["ann Bonn"]);
  });
});

describe("what is too much at once", () => {
  test("a batch whose documents do not fit is applied in fewer frames, and all of it in the end", async () => {
    const names = Array.from({ length: 16 }, (_, index) => `c${index}`);
    const frames = names.map((name, index) => upsert(index, name));
    await world.send(world.owner(), ...frames);
    world.state.facts.contactsMax = 3;
    const again = names.map((name, index) => upsert(16 + index, name, "Rome"));
    const handler = world.owner();
    await handler.start({ ...at, low: 0, high: HIGH });
    for (let next = 16; next < 32; ) {
      const frames = again.filter((one) => one.offset >= next);
      const verdict = await handler.batch({ ...at, frames, highWatermark: HIGH }, context);
      next = verdict.kind === "next" ? verdict.offset : Number.NaN;
    }
    expect(world.cities()).toEqual(names.map((name) => `${name} Rome`).sort());
  });

  test("one frame whose documents do not fit is applied in parts of one transaction", async () => {
    const records = (city: string) =>
      ["ann", "bob", "cid"].map((name) => record(`${name}${city}`, contact(name, { attributes: { city } })));
    await world.send(world.owner(), frameOf(0, "upsertContact", ...records("Bonn")));
    world.state.facts.contactsMax = 2;
    expect(await world.send(world.owner(), frameOf(1, "upsertContact", ...records("Rome")))).toEqual({
      kind: "next",
      offset: 2,
    });
    expect(world.cities()).toEqual(["ann Rome", "bob Rome", "cid Rome"]);
    expect([world.refused(), world.outcomes()]).toEqual([[], [{ applied: 6, skipped: 0, copies: 0 }]]);
  });

  test("a batch that another transaction was quicker with is folded again, and applied once", async () => {
    const conflict = async () => {
      throw new WriteConflict("another transaction wrote one of the rows first");
    };
    meddle((transaction) => vi.spyOn(transaction, "storeChanges").mockImplementationOnce(conflict));
    expect(await world.send(world.owner(), upsert(0, "ann"))).toEqual({ kind: "next", offset: 1 });
    expect([world.cities(), world.outcomes()]).toEqual([["ann Bonn"], [{ applied: 1, skipped: 0, copies: 0 }]]);
  });
});

describe("work that outlives the transaction", () => {
  const lost = new HeadwaterError({ code: "SERVICE_UNAVAILABLE", status: 503, publicMessage: "lost", retriable: true });

  /** Whenever one of the contacts is loaded, the transaction ends as if the work had kept the process. */
  function outlive(isTooMuch: (names: readonly string[]) => boolean): { count: number } {
    const ended = { count: 0 };
    const transaction: StateStore["transaction"] = world.state.transaction.bind(world.state);
    const watch = (inner: StateTransaction): StateTransaction => {
      const loadRows = inner.loadRows.bind(inner);
      const savepoint = inner.savepoint.bind(inner);
      vi.spyOn(inner, "savepoint").mockImplementation((run) => savepoint((part) => run(watch(part))));
      vi.spyOn(inner, "loadRows").mockImplementation(async (records, ...rest) => {
        const names = records.flatMap(({ reads }) => reads.identifiers.map(({ value }) => String(value)));
        if (!isTooMuch(names)) return loadRows(records, ...rest);
        ended.count += 1;
        throw lost;
      });
      return inner;
    };
    vi.spyOn(world.state, "transaction").mockImplementation(async (fence, run) => {
      try {
        return await transaction(fence, (inner) => run(watch(inner)));
      } catch (error) {
        throw error === lost ? new TransactionOutlived(16_000) : error;
      }
    });
    return ended;
  }

  test("is the fault of one record, which is refused alone after the second time; the others are applied", async () => {
    const ended = outlive((names) => names.includes("bob@x.org"));
    const frames = ["ann", "bob", "cid"].map((name, index) => upsert(index, name));
    expect(await world.send(world.owner(), ...frames)).toEqual({ kind: "next", offset: 3 });
    expect([world.cities(), world.refused()]).toEqual([["ann Bonn", "cid Bonn"], ["r1:0:0 open INTERNAL_ERROR"]]);
    // Once all together, then twice alone.
    expect(ended.count).toBe(3);
  });

  test("has an end when the records are only together too much", async () => {
    const ended = outlive((names) => names.length > 1);
    expect(await world.send(world.owner(), upsert(0, "ann"), upsert(1, "bob"))).toEqual({ kind: "next", offset: 2 });
    expect([world.cities(), world.refused(), ended.count]).toEqual([["ann Bonn", "bob Bonn"], [], 1]);
  });
});
