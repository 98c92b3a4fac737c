import { type Account, defaultSettings, versionOf } from "@headwater/contracts";
import { loggedOperations } from "@headwater/intake/operations/registry";
import { MemoryState } from "@headwater/testing";
import fc from "fast-check";
import { expect, test } from "vitest";
import { fromRow } from "./contactDocument.ts";

const account: Account = { number: 1, id: "a".repeat(24), name: "clears", settings: defaultSettings };
const CLEAR_AT = 1_000;
const version = (at: number) => versionOf(at, { lane: 0, partition: 0, offset: at, place: 0 });

interface Write {
  readonly at: number;
  readonly value: string | null;
}

const value = fc.option(fc.constantFrom("x", "y"), { nil: null, freq: 4 });
const before = fc.record({ at: fc.integer({ min: 1, max: CLEAR_AT - 1 }), value });
const after = fc.record({ at: fc.integer({ min: CLEAR_AT + 1, max: 2_000 }), value });
const distinct = { selector: ({ at }: Write) => at, maxLength: 5 };
/** Runs in which only records older than the deletion were applied before it; later ones are of any age. */
const run = fc
  .record({
    applied: fc.uniqueArray(before, distinct),
    late: fc.uniqueArray(before, distinct),
    newer: fc.uniqueArray(after, distinct),
  })
  .chain(({ applied, late, newer }) => {
    const rest = [...late.filter(({ at }) => applied.every((one) => one.at !== at)), ...newer];
    return fc.record({
      applied: fc.constant(applied),
      rest: fc.shuffledSubarray(rest, { minLength: rest.length }),
      newer: fc.constant(newer),
    });
  });

function write(state: MemoryState, { at, value: plan }: Write, members: object = { plan }) {
  const contact = { identifiers: { email: "a@x" }, attributes: members, canBeCreated: true, canBeUpdated: true };
  const record = { id: `r${at}:0:0`, receivedAt: 0, contact };
  const operation = loggedOperations.find(({ name }) => name === "upsertContact");
  if (operation === undefined) throw new Error("there is an upsertContact");
  return state.apply(account, [{ operation, record, version: version(at) }])[0];
}

function view(state: MemoryState): unknown {
  const [row] = state.contacts.values();
  return row && fromRow(row, state.attributeClears.get(account.number)).attributes.get("plan")?.value;
}

function forget(state: MemoryState): void {
  state.attributeClears.set(account.number, new Map([["plan", version(CLEAR_AT)]]));
}

test("an attribute keeps its last write since a deletion, whatever arrives late and in whatever order", () => {
  fc.assert(
    fc.property(run, ({ applied, rest, newer }) => {
      const state = new MemoryState();
      for (const one of applied) write(state, one);
      forget(state);
      expect(view(state) ?? null).toBeNull();
      for (const one of rest) write(state, one);
      const last = newer.toSorted((a, b) => b.at - a.at)[0];
      expect(view(state) ?? null).toBe(last?.value ?? null);
    }),
    { numRuns: 200 },
  );
});

test("a value that is written again is a change, one of before is superseded, and an edit finds nothing to edit", () => {
  const state = new MemoryState();
  write(state, { at: 1, value: "x" });
  write(state, { at: 2, value: null }, { plan: { add: ["old"] } });
  forget(state);
  expect(write(state, { at: 3, value: "x" })).toMatchObject({ kind: "skipped", code: "SUPERSEDED" });
  expect(write(state, { at: 1_001, value: null }, { plan: { add: ["new"] } })).toMatchObject({ kind: "applied" });
  expect(view(state)).toEqual(["new"]);
});
