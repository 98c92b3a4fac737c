import { type Account, defaultSettings, lanes, timeOfVersion, versionOf } from "@headwater/contracts";
import { splitContact } from "@headwater/records/contacts/splitContact";
import { folded, skipped } from "@headwater/records/fold/outcome";
import { listIdKey } from "@headwater/records/unitOfWork/loadedRows";
import { MemoryState, type VersionedRecord } from "@headwater/testing";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { validatedOperations } from "../registry.ts";

const account: Account = { number: 1, id: "a".repeat(24), name: "test", settings: defaultSettings };
const vip = { id: 1, name: "vip", clearedVersion: undefined };
const news = { id: 2, name: "news", clearedVersion: undefined };

/** Written at the given millisecond. */
function located(name: string, timeMs: number, members: object): VersionedRecord {
  const operation = validatedOperations.find((one) => one.name === name);
  if (operation === undefined) throw new Error(`no operation ${name}`);
  const version = versionOf(timeMs, { lane: 1, partition: 0, offset: timeMs, place: 0 });
  return { operation, version, record: { id: `r${timeMs}:0:0`, receivedAt: 0, ...members } };
}

const add = (email: string, timeMs: number, listName = "vip") =>
  located("addContactsToList", timeMs, { contact: { identifiers: { email } }, listName, canBeCreated: true });
const remove = (email: string, timeMs: number, listName = "vip") =>
  located("removeContactsFromList", timeMs, { contact: { identifiers: { email } }, listName });
const clear = (timeMs: number, target: object = { listName: "vip" }) => located("clearList", timeMs, target);
const merge = (email: string, theirs: string, timeMs: number) =>
  located("mergeContacts", timeMs, {
    contact: { identifiers: { email } },
    previous: { identifiers: { email: theirs } },
  });

/** Builds what `POST /v2/contacts/split` folds, as though it stood in the log. */
function split(email: string, timeMs: number): VersionedRecord {
  const { operation, ...rest } = located("clearList", timeMs, {});
  const fold: VersionedRecord["operation"]["fold"] = (state, _, origin) => {
    const contact = state.find({ name: "email", value: email });
    const split = contact && splitContact(state, contact, ["email"], origin);
    return folded(skipped("UNCHANGED"), split?.kind === "split" ? split.changeEvents : []);
  };
  return { ...rest, operation: { ...operation, name: "split", fold } };
}

function fresh(): MemoryState {
  const state = new MemoryState();
  for (const list of [vip, news]) state.defineList(1, list);
  return state;
}

type Memberships = MemoryState["memberships"];

/** Lists the members of each list, by the rule that every reader of memberships follows. */
function members(state: MemoryState, memberships: Memberships): string[] {
  const live = [...memberships.values()].filter(({ list, present, version }) => {
    return present && version > (state.lists.get(listIdKey(1, list))?.clearedVersion ?? "");
  });
  const displayed = live.map(({ list, contact, joinedAt }) => {
    return `${list} ${state.aliases.get(contact) ?? contact} ${joinedAt}`;
  });
  return [...new Set(displayed)].sort();
}
const inPostgres = (state: MemoryState) => members(state, state.memberships);
const inChangeRecords = (state: MemoryState) => members(state, state.emitted);

describe("a clear", () => {
  test("takes everybody off who came before it, and nobody who comes later", () => {
    const state = fresh();
    state.apply(account, [add("a@x", 10), add("b@x", 20), add("a@x", 20, "news")]);
    expect(state.apply(account, [clear(30), add("b@x", 40)])).toMatchObject([{ kind: "applied" }, { kind: "applied" }]);
    expect(inPostgres(state)).toEqual(["1 2 40", "2 1 20"]);
    expect(inChangeRecords(state)).toEqual(inPostgres(state));
  });

  test("names its list by id as well, and the same batch sees it by either", () => {
    const state = fresh();
    const outcomes = state.apply(account, [add("a@x", 10), clear(30, { listId: 1 }), add("a@x", 20), clear(25)]);
    expect(outcomes.slice(1)).toMatchObject([
      { kind: "applied" },
      { kind: "skipped", code: "SUPERSEDED" },
      { kind: "skipped", code: "SUPERSEDED" },
    ]);
    expect(inPostgres(state)).toEqual([]);
  });

  test("a repeated clear changes nothing, and neither does one that is older than another", () => {
    const state = fresh();
    state.apply(account, [clear(30)]);
    expect(state.apply(account, [clear(30)])).toMatchObject([{ kind: "skipped", code: "UNCHANGED" }]);
    expect(state.apply(account, [clear(20)])).toMatchObject([{ kind: "skipped", code: "SUPERSEDED" }]);
  });

  test("of a name nobody has is nothing to do, and of an id nobody has is refused", () => {
    expect(new MemoryState().apply(account, [clear(1), clear(2, { listId: 9 })])).toMatchObject([
      { kind: "skipped", code: "ACCOUNT_LISTS_NOT_FOUND" },
      { kind: "rejected", code: "ACCOUNT_LISTS_NOT_FOUND", path: "/listId" },
    ]);
  });

  test("emits a member who was put on the list again since, though that changed nothing", () => {
    const state = fresh();
    state.apply(account, [add("a@x", 10), add("b@x", 10)]);
    expect(state.apply(account, [add("a@x", 30)])).toMatchObject([{ kind: "skipped", code: "UNCHANGED" }]);
    state.apply(account, [clear(20)]);
    expect(inPostgres(state)).toEqual(["1 1 10"]);
    expect(inChangeRecords(state)).toEqual(["1 1 10"]);
  });
});

describe("a list that is cleared around a merge", () => {
  const version = (timeMs: number, offset: number) => versionOf(timeMs, { lane: 1, partition: 0, offset, place: 0 });

  test("keeps who was put on it since, though both joined it at the same moment", () => {
    const state = fresh();
    const together = ["a@x", "b@x"].map((who, position) => ({ ...add(who, 10), version: version(10, position) }));
    for (const record of [...together, add("b@x", 30), clear(20), merge("a@x", "b@x", 40)]) {
      state.apply(account, [record]);
    }
    expect(inPostgres(state)).toEqual(["1 1 10"]);
    expect(inChangeRecords(state)).toEqual(inPostgres(state));
  });

  test("stays empty when the merge is undone", () => {
    const state = fresh();
    const attributes = { channels: { email: { address: "b@x" } } };
    const other = { identifiers: { email: "b@x" }, attributes, canBeCreated: true };
    state.apply(account, [add("a@x", 10), located("upsertContact", 15, { contact: other }), add("b@x", 20)]);
    state.apply(account, [merge("a@x", "b@x", 30), clear(40)]);
    const origin = { account, recordId: "split", version: version(50, 0) };
    state.write(account, (view) => splitContact(view, view.contactByNumber(1), ["email"], origin));
    expect(state.merges.filter(({ undoneVersion }) => undoneVersion === null)).toEqual([]);
    expect([inPostgres(state), inChangeRecords(state)]).toEqual([[], []]);
  });

  test("a clear that comes after a split removes a contact that got back a place from before the clear", () => {
    const state = fresh();
    const attributes = { channels: { email: { address: "b@x" } } };
    const other = { identifiers: { email: "b@x" }, attributes, canBeCreated: true };
    state.apply(account, [add("a@x", 10), located("upsertContact", 15, { contact: other }), add("b@x", 20)]);
    state.apply(account, [merge("a@x", "b@x", 30)]);
    const origin = { account, recordId: "split", version: version(50, 0) };
    state.write(account, (view) => splitContact(view, view.contactByNumber(1), ["email"], origin));
    expect([inPostgres(state), inChangeRecords(state)]).toEqual([
      ["1 1 10", "1 2 20"],
      ["1 1 10", "1 2 20"],
    ]);
    state.apply(account, [clear(40)]);
    expect([inPostgres(state), inChangeRecords(state)]).toEqual([[], []]);
  });
});

describe("laws of clears", () => {
  const email = fc.constantFrom("a@x", "b@x", "c@x");
  const list = fc.constantFrom("vip", "news");
  const change = fc.oneof(
    {
      weight: 4,
      arbitrary: fc.tuple(email, list).map(
        ([who, on]) =>
          (at: number) =>
            add(who, at, on),
      ),
    },
    {
      weight: 2,
      arbitrary: fc.tuple(email, list).map(
        ([who, on]) =>
          (at: number) =>
            remove(who, at, on),
      ),
    },
    { weight: 2, arbitrary: list.map((listName) => (at: number) => clear(at, { listName })) },
  );
  const joining = fc.tuple(email, email).map(
    ([who, theirs]) =>
      (at: number) =>
        merge(who, theirs, at),
  );
  const parting = email.map((who) => (at: number) => split(who, at));
  /** Records in the order of their versions, or several of one millisecond, and in the order of their commits. */
  const history = (step: typeof change) =>
    fc
      .array(fc.tuple(step, fc.constantFrom(0, 1)), { minLength: 1, maxLength: 14 })
      .map((steps) => {
        let timeMs = 1;
        return steps.map(([make, later], offset) => {
          timeMs += later;
          const { operation, record } = make(timeMs);
          const version = versionOf(timeMs, { lane: 1, partition: 0, offset, place: 0 });
          return { operation, record: { ...record, id: `r${offset}:0:0` }, version };
        });
      })
      .chain((records) =>
        fc
          .shuffledSubarray(records, { minLength: records.length })
          .map((committed) => ({ records, committed: withSplitsLast(committed) })),
      );
  /** A split is above everything that was applied before it. */
  const withSplitsLast = (committed: readonly VersionedRecord[]): VersionedRecord[] => {
    let greatestMs = 1;
    return committed.map((record, offset) => {
      const isSplit = record.operation.name === "split";
      if (isSplit) greatestMs++;
      const version = versionOf(greatestMs, { lane: lanes.v2, partition: 0, offset, place: 0 });
      if (isSplit) return { ...record, version };
      greatestMs = Math.max(greatestMs, timeOfVersion(record.version));
      return record;
    });
  };
  const cuts = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 14, maxLength: 14 });

  function applied(records: readonly VersionedRecord[], sizes: readonly number[]): MemoryState {
    const state = fresh();
    state.apply(
      account,
      ["a@x", "b@x", "c@x"].map((who, index) => ({ ...add(who, 0), version: index.toString().padStart(32, "0") })),
    );
    state.apply(account, [{ ...clear(0), version: "9".padStart(32, "0") }]);
    for (let at = 0, step = 0; at < records.length; step++) {
      // A split is a transaction of its own.
      const next = records.slice(at, at + (sizes[step] ?? 1));
      const split = next.findIndex(({ operation }) => operation.name === "split");
      const batch = split < 0 ? next : next.slice(0, Math.max(1, split));
      state.apply(account, batch);
      at += batch.length;
    }
    return state;
  }

  test("what the change records say is what is stored, in any order of adds, removes, merges, splits and clears", () => {
    const any = fc.oneof({ weight: 8, arbitrary: change }, { weight: 2, arbitrary: joining }, parting);
    fc.assert(
      fc.property(history(any), cuts, ({ committed }, sizes) => {
        const state = applied(committed, sizes);
        expect(inChangeRecords(state)).toEqual(inPostgres(state));
      }),
      { numRuns: 1_000 },
    );
  });

  test("any order of adds, removes and clears leaves the same members", () => {
    const who = (state: MemoryState) => inPostgres(state).map((visible) => visible.split(" ").slice(0, 2).join(" "));
    fc.assert(
      fc.property(history(change), cuts, ({ records, committed }, sizes) => {
        expect(who(applied(committed, sizes))).toEqual(who(applied(records, sizes)));
      }),
      { numRuns: 1_000 },
    );
  });
});
