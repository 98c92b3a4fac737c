import { type Account, accountSettings, versionOf } from "@headwater/contracts";
import { MemoryState, type VersionedRecord } from "@headwater/testing";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { validatedOperations } from "../registry.ts";

const MAX = 2;
const LISTS = ["a", "b", "c", "d"];
const settings = accountSettings.parse({ limits: { listsPerContact: MAX } });
const account: Account = { number: 1, id: "a".repeat(24), name: "test", settings };

function located(name: string, at: number, members: object): VersionedRecord {
  const operation = validatedOperations.find((one) => one.name === name);
  if (operation === undefined) throw new Error(`no operation ${name}`);
  const version = versionOf(at, { lane: 1, partition: 0, offset: at, place: 0 });
  return { operation, version, record: { id: `r${at}:0:0`, receivedAt: 0, ...members } };
}
const by = (email: string) => ({ contact: { identifiers: { email } } });
const add = (email: string, listName: string, at: number) =>
  located("addContactsToList", at, { ...by(email), listName, canBeCreated: true });
const remove = (email: string, listName: string, at: number) =>
  located("removeContactsFromList", at, { ...by(email), listName });
const clear = (listName: string, at: number) => located("clearList", at, { listName });
const merge = (email: string, theirs: string, at: number) =>
  located("mergeContacts", at, { ...by(email), previous: by(theirs).contact });

function fresh(lists = LISTS): MemoryState {
  const state = new MemoryState();
  for (const [index, name] of lists.entries()) state.defineList(1, { id: index + 1, name, clearedVersion: undefined });
  return state;
}

const codesOf = (outcomes: readonly object[]) =>
  outcomes.map((outcome) => ("code" in outcome ? outcome.code : undefined));
const EXCEEDED = "CONTACT_LISTS_EXCEEDED";

describe("a contact on as many lists as it may be on", () => {
  test("is refused one more with the bound's own code, and goes on where it comes onto no more", () => {
    const records = [
      ...[add("x@x", "a", 1), add("x@x", "b", 2), add("x@x", "c", 3), add("x@x", "a", 4), remove("x@x", "a", 5)],
      ...[add("x@x", "c", 6), add("x@x", "a", 7), clear("b", 8), add("x@x", "d", 9), add("y@x", "d", 10)],
    ];
    const expected = [undefined, undefined, EXCEEDED, "UNCHANGED", undefined, undefined, EXCEEDED];
    const outcomes = fresh().apply(account, records);
    expect(codesOf(outcomes)).toEqual([...expected, undefined, undefined, undefined]);
    expect(outcomes[2]).toMatchObject({ kind: "rejected", path: "/identifiers/0" });
  });

  test("is merged all the same, may then leave lists, and joins one when it is below the bound again", () => {
    const state = fresh();
    state.apply(account, [add("x@x", "a", 1), add("x@x", "b", 2), add("y@x", "c", 3), add("y@x", "d", 4)]);
    const outcomes = state.apply(account, [
      ...[merge("x@x", "y@x", 5), add("x@x", "a", 6), remove("x@x", "a", 7), add("x@x", "a", 8)],
      ...[remove("x@x", "b", 9), remove("x@x", "c", 10), add("y@x", "a", 11)],
    ]);
    const left = [undefined, undefined, undefined];
    expect(codesOf(outcomes)).toEqual([undefined, "UNCHANGED", undefined, EXCEEDED, ...left]);
  });

  test("nobody is counted while the account has no more lists than a contact may be on", () => {
    const state = fresh(["a", "b"]);
    const outcomes = state.apply(account, [add("x@x", "a", 1), add("x@x", "b", 2), remove("x@x", "a", 3)]);
    expect(codesOf(outcomes)).toEqual([undefined, undefined, undefined]);
  });
});

describe("laws of the bound", () => {
  const email = fc.constantFrom("x@x", "y@x");
  const list = fc.constantFrom(...LISTS);
  const change = fc.oneof(
    {
      weight: 6,
      arbitrary: fc.tuple(email, list).map(
        ([who, on]) =>
          (at: number) =>
            add(who, on, at),
      ),
    },
    {
      weight: 2,
      arbitrary: fc.tuple(email, list).map(
        ([who, on]) =>
          (at: number) =>
            remove(who, on, at),
      ),
    },
    { weight: 1, arbitrary: list.map((on) => (at: number) => clear(on, at)) },
  );
  const joining = fc.tuple(email, email).map(
    ([who, theirs]) =>
      (at: number) =>
        merge(who, theirs, at),
  );
  const history = (step: fc.Arbitrary<(at: number) => VersionedRecord>) =>
    fc.array(step, { minLength: 1, maxLength: 24 }).chain((steps) =>
      fc.shuffledSubarray(
        steps.map((make, index) => make(index + 1)),
        { minLength: steps.length },
      ),
    );
  const cuts = fc.array(fc.integer({ min: 1, max: 8 }), { minLength: 24, maxLength: 24 });

  function inCuts(records: readonly VersionedRecord[], sizes: readonly number[]) {
    const state = fresh();
    const outcomes: object[] = [];
    for (let at = 0, step = 0; at < records.length; step++) {
      const size = sizes[step] ?? 1;
      outcomes.push(...state.apply(account, records.slice(at, at + size)));
      at += size;
    }
    return { codes: codesOf(outcomes), state };
  }

  test("every cut of the log refuses the same records, merges among them or not", () => {
    fc.assert(
      fc.property(history(fc.oneof({ weight: 8, arbitrary: change }, joining)), cuts, (records, sizes) => {
        const whole = inCuts(records, [records.length]);
        expect(inCuts(records, sizes).codes).toEqual(whole.codes);
        expect(inCuts(records, []).codes).toEqual(whole.codes);
      }),
      { numRuns: 1_000 },
    );
  });

  test("without merges nobody is ever on more lists than the bound, whatever the order", () => {
    fc.assert(
      fc.property(history(change), cuts, (records, sizes) => {
        const { memberships, lists } = inCuts(records, sizes).state;
        const cleared = new Map([...lists.values()].map((one) => [one.id, one.clearedVersion ?? ""]));
        const on = [...memberships.values()].filter(
          (one) => one.present && one.version > (cleared.get(one.list) ?? ""),
        );
        for (const group of Map.groupBy(on, (one) => one.contact).values())
          expect(group.length).toBeLessThanOrEqual(MAX);
      }),
      { numRuns: 1_000 },
    );
  });
});
