import { type Account, defaultSettings, versionOf } from "@headwater/contracts";
import { upsertSupplementsRecords } from "@headwater/intake/operations/upsertSupplementsRecords/upsertSupplementsRecords";
import { MemoryState } from "@headwater/testing";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { FoldState } from "../fold/foldState.ts";
import { fromSupplementRecordRow, liveRecord, type Supplement } from "./supplement.ts";
import { clearSupplement, createRecord, deleteRecord, leaveTombstone, updateRecord } from "./writeSupplement.ts";

const account: Account = { number: 1, id: "a".repeat(24), name: "laws", settings: defaultSettings };
const versionAt = (time: number) => versionOf(time, { lane: 1, partition: 0, offset: time, place: 0 });
const originAt = (time: number) => ({ account, recordId: `w${time}:0:0`, version: versionAt(time) });

interface Step {
  readonly kind: "intake" | "add" | "change" | "delete" | "clear";
  readonly id: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

const id = fc.constantFrom("1", "2");
const fields = fc.record(
  { model: fc.constantFrom("A", "B", null), year: fc.integer({ min: 0, max: 2 }) },
  { requiredKeys: [] },
);
const step = (...kinds: Step["kind"][]): fc.Arbitrary<Step> =>
  fc.record({ kind: fc.constantFrom(...kinds), id, fields });

function fresh(): MemoryState {
  const state = new MemoryState();
  const rules = { indexes: [], contactObject: false, autogenerateIDs: false, clearedVersion: undefined };
  state.defineSupplement(1, { id: 1, key: "cars", ...rules });
  return state;
}

function intake(state: MemoryState, { id, fields }: Step, time: number): void {
  const record = { id: `r${time}:0:0`, receivedAt: 0, supplement: "cars", record: { id, ...fields } };
  state.apply(account, [{ operation: upsertSupplementsRecords, record, version: versionAt(time) }]);
}

const tableOf = (state: FoldState): Supplement => {
  const table = state.supplement("cars");
  if (table === undefined) throw new Error("the table is defined");
  return table;
};

/** Records that are there, with the values of their fields and the versions of these. */
function displayed(state: MemoryState): unknown {
  const table = [...state.supplements.values()][0];
  if (table === undefined) throw new Error("the table is defined");
  const records = [...state.supplementRecords].flatMap(([key, row]) => {
    const id = key.split("\n")[2] ?? "";
    const record = liveRecord(fromSupplementRecordRow(1, id, row), table);
    if (record === undefined) return [];
    const values = [...record.members].filter(([, { value }]) => value !== null).sort();
    return [[id, values] as const];
  });
  return records.sort();
}

describe("laws of supplement records", () => {
  test("writes, deletions and clears end in one state, in whatever order they are stored", () => {
    const write = (state: MemoryState, input: Step, time: number) => {
      if (input.kind === "intake") intake(state, input, time);
      else if (input.kind === "clear") state.write(account, (view) => clearSupplement(view, "cars", originAt(time)));
      else {
        state.write(account, (view) =>
          leaveTombstone(view, { supplement: tableOf(view), id: input.id }, versionAt(time)),
        );
      }
    };
    const histories = fc
      .array(fc.oneof({ weight: 4, arbitrary: step("intake") }, step("delete", "clear")), { maxLength: 12 })
      .map((steps) => steps.map((one, index) => ({ one, time: index + 1 })))
      .chain((steps) =>
        fc.record({ steps: fc.constant(steps), mixed: fc.shuffledSubarray(steps, { minLength: steps.length }) }),
      );
    fc.assert(
      fc.property(histories, ({ steps, mixed }) => {
        const [inOrder, inAnyOrder] = [fresh(), fresh()];
        for (const { one, time } of steps) write(inOrder, one, time);
        for (const { one, time } of mixed) write(inAnyOrder, one, time);
        expect(displayed(inAnyOrder)).toEqual(displayed(inOrder));
      }),
      { numRuns: 1_000 },
    );
  });

  test("through intake and /v2 the state is what took effect, in order of version", () => {
    const left = fc.array(step("intake"), { maxLength: 6 });
    const calls = fc.array(step("add", "change", "delete", "clear"), { maxLength: 6 });
    fc.assert(
      fc.property(left, left, calls, fc.infiniteStream(fc.nat()), (a, b, v2, picks) => {
        const log = [a, b].map((steps, partition) =>
          steps.map((one, index) => ({ one, time: 10 * (index + 1) + partition })),
        );
        const [state, calm] = [fresh(), fresh()];
        const done: { one: Step; time: number }[] = [];
        const waiting = [...v2];
        let greatest = 0;
        for (let left = log.flat().length + waiting.length; left > 0; left--) {
          const queues = [...log, waiting].filter(({ length }) => length > 0);
          const queue = queues[picks.next().value % queues.length];
          if (queue === waiting) {
            const one = waiting.shift();
            if (one === undefined) continue;
            greatest += 1;
            if (call(state, one, greatest)) done.push({ one, time: greatest });
            continue;
          }
          const next = log.find((each) => each === queue)?.shift();
          if (next === undefined) continue;
          intake(state, next.one, next.time);
          greatest = Math.max(greatest, next.time);
          done.push(next);
        }
        for (const { one, time } of done.toSorted((x, y) => x.time - y.time)) replay(calm, one, time);
        expect(displayed(state)).toEqual(displayed(calm));
      }),
      { numRuns: 1_000 },
    );
  });
});

/** Writes as a route does. @returns whether it did anything. */
function call(state: MemoryState, { kind, id, fields }: Step, time: number): boolean {
  const origin = originAt(time);
  const request = { supplement: "cars", id, fields };
  if (kind === "clear") return state.write(account, (view) => clearSupplement(view, "cars", origin)) !== undefined;
  const write = { add: createRecord, change: updateRecord, delete: deleteRecord, intake: updateRecord }[kind];
  return state.write(account, (view) => write(view, request, origin)).kind === "written";
}

function replay(state: MemoryState, one: Step, time: number): void {
  if (one.kind === "delete" || one.kind === "clear") call(state, one, time);
  else intake(state, one, time);
}
