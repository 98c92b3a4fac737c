import { defaultSettings, versionOf } from "@headwater/contracts";
import { erasedHashOf } from "@headwater/kernel";
import { MemoryStateStore, stateStoreContract } from "@headwater/testing";
import fc from "fast-check";
import { beforeEach, describe, expect, test, vi } from "vitest";
import type { StateTransaction } from "./stateStore.ts";
import {
  account,
  at,
  contact,
  context,
  frame,
  frameOf,
  HIGH,
  HOUR_MS,
  record,
  StateWorld,
  upsert,
} from "./testState.ts";

describe("the state in memory keeps the contract of the one in Postgres", () => {
  test.each(stateStoreContract)("%s", (_promise, check) => check({ store: new MemoryStateStore(), account }));
});

let world: StateWorld;
beforeEach(() => {
  world = new StateWorld();
});

const activity = (offset: number, id: string, more: object = {}) =>
  frameOf(
    offset,
    "createContactactivities",
    record(id, contact("ann"), { event: { name: "seen", UID: "u1", createdDate: "2026-01-01" }, ...more }),
  );

test("records of all frames are applied in their order, with the offset behind them, and their change events", async () => {
  expect(await world.send(world.owner(), upsert(0, "ann"), upsert(1, "bob"), upsert(2, "ann", "Rome"))).toEqual({
    kind: "next",
    offset: 3,
  });
  expect(world.cities()).toEqual(["ann Rome", "bob Bonn"]);
  expect([await world.offset(), world.stored, world.state.tables.outbox.length > 0]).toEqual([3, 1, true]);
  expect(world.outcomes()).toEqual([{ applied: 3, skipped: 0, copies: 0 }]);
});

describe("bad records", () => {
  test("messages that are no frames and records that no fold takes are letters, and their neighbours are applied", async () => {
    const strange = frame(1, JSON.stringify({ subject: "intake.upsertContact", account: "b".repeat(24), records: [] }));
    const broken = frameOf(2, "upsertContact", record("broken", contact("cid")), { ...record("no", {}), contact: 5 });
    expect(await world.send(world.owner(), frame(0, "no JSON"), strange, broken, upsert(3, "bob"))).toEqual({
      kind: "next",
      offset: 4,
    });
    expect(world.cities()).toContain("bob Bonn");
    expect(world.refused()).toHaveLength(3);
    expect(world.refused()).toContain("no:0:0 open INTERNAL_ERROR");
    expect(world.quarantined).toBe(3);
    const logged = world.lines.filter((line) => line.includes("poison record quarantined"));
    expect(logged).toHaveLength(2);
    expect(logged[0]).toContain('"offset":0,"reason":"not JSON"');
    expect(await world.offset()).toBe(4);
  });

  test("a record that the store refuses is rejected alone, and its neighbours are applied", async () => {
    const bad = (changes: Parameters<StateTransaction["storeChanges"]>[0]["changes"]) =>
      [...changes.contacts.values()].some(({ contact }) => contact.identifiers.get("email")?.includes("bad@x.org"));
    const transaction = world.state.transaction.bind(world.state);
    const refuse = (inner: StateTransaction): StateTransaction => ({
      ...methodsOf(inner),
      storeChanges: async (input) => {
        if (bad(input.changes)) throw new TypeError("the store refuses it");
        return inner.storeChanges(input);
      },
      savepoint: (run) => inner.savepoint((part) => run(refuse(part))),
      rehearse: (run) => inner.rehearse((part) => run(refuse(part))),
    });
    vi.spyOn(world.state, "transaction").mockImplementation((fence, run) =>
      transaction(fence, (inner) => run(refuse(inner))),
    );
    expect(await world.send(world.owner(), upsert(0, "ann"), upsert(1, "bad"), upsert(2, "bob"))).toEqual({
      kind: "next",
      offset: 3,
    });
    expect(world.cities()).toEqual(["ann Bonn", "bob Bonn"]);
    expect(world.refused()).toEqual(["r1:0:0 open INTERNAL_ERROR"]);
    expect(await world.offset()).toBe(3);
  });

  test("a record of an unknown contact waits, and its later attempt settles it", async () => {
    const waiting = record("w", { ...contact("late", { attributes: { city: "Rome" } }), canBeCreated: false });
    await world.send(world.owner(), frameOf(0, "upsertContact", waiting));
    expect(world.refused()).toEqual(["w:0:0 parked CONTACTS_CONTACT_NOT_FOUND"]);
    const again = frameOf(2, "upsertContact", { ...waiting, redriveOf: "w:0:0" });
    await world.send(world.owner(), upsert(1, "late"), { ...again, headers: { attempt: "1" } });
    expect(world.refused()).toEqual(["w:0:0 applied CONTACTS_CONTACT_NOT_FOUND"]);
  });

  test("attributes beyond the account's room are rejected alone, and its other records applied", async () => {
    const limits = { ...defaultSettings.limits, attributesPerAccount: 1 };
    const small = { ...account, settings: { ...defaultSettings, limits } };
    const other = frameOf(1, "upsertContact", record("b", contact("bob", { attributes: { plan: "x" } })));
    await world.send(world.owner(small), upsert(0, "ann"), other, upsert(2, "cid"));
    expect(world.cities()).toEqual(["ann Bonn", "cid Bonn"]);
    expect(world.refused()).toEqual(["b:0:0 open ACCOUNT_ATTRIBUTES_EXCEEDED"]);
  });
});

describe("records that come again", () => {
  test("a keyed record is applied once, wherever its copy stands", async () => {
    const keyed = (offset: number, name: string) =>
      frameOf(offset, "upsertContact", record("k", contact(name, { attributes: { city: "Bonn" } }), { keyed: true }));
    await world.send(world.owner(), keyed(0, "ann"), keyed(1, "bob"));
    await world.send(world.owner(), keyed(2, "cid"));
    expect(world.cities()).toEqual(["ann Bonn"]);
  });

  test("an activity is known by its UID, by the owner that applied it and by the one that takes over", async () => {
    const first = world.owner();
    await world.send(first, activity(0, "a0"));
    await first.batch({ ...at, frames: [activity(1, "a1")], highWatermark: HIGH }, context);
    const next = world.owner();
    const { fromOffset } = await next.start({ ...at, low: 0, high: HIGH });
    const log = [activity(0, "a0"), activity(1, "a1"), activity(2, "a2")];
    await next.batch({ ...at, frames: log.slice(fromOffset), highWatermark: HIGH }, context);
    expect(world.outcomes()).toEqual([{ applied: 1, skipped: 2, copies: 0 }]);
  });
});

test("a list that a record brings up stays with its member, and goes with a record that was refused", async () => {
  const on = (id: string, listName: string, more: object) => record(id, contact("ann", more), { listName });
  const added = { ...on("l1", "VIP", {}), canBeCreated: true };
  const unknown = record("l2", { identifiers: { email: "who@x.org" } }, { listName: "Empty", canBeCreated: false });
  await world.send(world.owner(), frameOf(0, "addContactsToList", added), frameOf(1, "addContactsToList", unknown));
  const names = new Set([...world.state.tables.state.lists.values()].map(({ name }) => name));
  expect([...names]).toEqual(["VIP"]);
  expect(world.refused()[0]).toMatch(/^l2:0:0/);
});

test("a record about somebody who was erased since is skipped", async () => {
  const version = versionOf(2 * HOUR_MS, { lane: 1, partition: 3, offset: 0, place: 0 });
  const ann = { name: "email", value: "ann@x.org" };
  const hash = erasedHashOf(world.state.facts.erasureSecret, account.id, ann);
  world.state.facts.erased = [{ account: account.number, hash, version }];
  await world.send(world.owner(), upsert(0, "ann"), upsert(1, "bob"));
  expect([world.cities(), world.outcomes()]).toEqual([["bob Bonn"], [{ applied: 1, skipped: 1, copies: 0 }]]);
});

test("the state is the same wherever batches end", async () => {
  const names = fc.constantFrom("ann", "bob", "cid");
  const steps = fc.array(fc.tuple(names, fc.constantFrom("Bonn", "Rome", "Oslo"), fc.boolean()), {
    minLength: 1,
    maxLength: 12,
  });
  await fc.assert(
    fc.asyncProperty(steps, async (taken) => {
      const log = taken.map(([name, city], index) => upsert(index, name, city));
      const ends = taken.map(([, , isEnd]) => isEnd);
      const [whole, cut] = [new StateWorld(), new StateWorld()];
      await whole.send(whole.owner(), ...log);
      for (let from = 0; from < log.length; ) {
        const end = ends.indexOf(true, from);
        const to = end < 0 ? log.length : end + 1;
        await cut.send(cut.owner(), ...log.slice(from, to));
        from = to;
      }
      expect(cut.cities()).toEqual(whole.cities());
      expect(cut.outcomes()).toEqual(whole.outcomes());
    }),
    { numRuns: 60 },
  );
});

/** Methods of a transaction, bound to it. */
function methodsOf(inner: StateTransaction): StateTransaction {
  return {
    lockAccounts: (...provided) => inner.lockAccounts(...provided),
    eventTriggers: (accounts) => inner.eventTriggers(accounts),
    listeners: (accounts) => inner.listeners(accounts),
    ensureLists: (...received) => inner.ensureLists(...received),
    deleteUnusedLists: (...given) => inner.deleteUnusedLists(...given),
    appliedRecords: (keys) => inner.appliedRecords(keys),
    lockRejects: (keys) => inner.lockRejects(keys),
    importedRows: (...given) => inner.importedRows(...given),
    erasedFrom: (version) => inner.erasedFrom(version),
    erasureSecret: () => inner.erasureSecret(),
    attributesOf: (number) => inner.attributesOf(number),
    messageChannels: (keys) => inner.messageChannels(keys),
    loadRows: (...given) => inner.loadRows(...given),
    loadReads: (...given) => inner.loadReads(...given),
    takeOutboxPositions: (count) => inner.takeOutboxPositions(count),
    storeChanges: (input) => inner.storeChanges(input),
    appendOutbox: (rows) => inner.appendOutbox(rows),
    emitKeptMembers: (...given) => inner.emitKeptMembers(...given),
    defineWritten: (...given) => inner.defineWritten(...given),
    storeEnd: (...given) => inner.storeEnd(...given),
    savepoint: (run) => inner.savepoint(run),
    rehearse: (run) => inner.rehearse(run),
  };
}
