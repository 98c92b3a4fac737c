import fc from "fast-check";
import { expect, test } from "vitest";
import { allBut, BITMAPS, everybody, intersect, nobody, type Selection, unite } from "./selection.ts";

const all = new Set([0, 1, 2, 3, 4, 5, 6, 7]);
const sets = new Map([
  ["a", new Set([0, 1, 2, 3])],
  ["b", new Set([0, 1, 4, 5])],
  ["c", new Set([0, 2, 4, 6])],
]);

/** Evaluates the SQL of a selection: function calls over the names of sets. */
function members({ set, complement }: Selection): Set<number> {
  const [value] = read(set);
  return complement ? all.difference(value) : value;
}

function read(text: string): [Set<number>, string] {
  const empty = "bitmapBuild(emptyArrayUInt64())";
  if (text.startsWith(empty)) return [new Set(), text.slice(empty.length)];
  const call = /^(bitmapAnd|bitmapAndnot|bitmapOr)\(/.exec(text);
  if (call === null) return [sets.get(text.slice(0, 1)) ?? new Set(), text.slice(1)];
  const [left, afterLeft] = read(text.slice(call[0].length));
  const [right, afterRight] = read(afterLeft.slice(", ".length));
  const combined = { bitmapAnd: left.intersection(right), bitmapAndnot: left.difference(right) }[call[1] ?? ""];
  return [combined ?? left.union(right), afterRight.slice(")".length)];
}

const { selection } = fc.letrec<{ selection: Selection }>((tie) => ({
  selection: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(nobody(BITMAPS), everybody(BITMAPS)),
    fc.record({ set: fc.constantFrom(...sets.keys()), complement: fc.boolean(), known: fc.boolean() }),
    tie("selection").map(allBut),
    fc.tuple(tie("selection"), tie("selection")).map(([left, right]) => intersect(BITMAPS, left, right)),
  ),
}));

test("selections combine as sets do, whatever is a complement", () => {
  fc.assert(
    fc.property(selection, selection, (left, right) => {
      expect(members(intersect(BITMAPS, left, right))).toEqual(members(left).intersection(members(right)));
      expect(members(unite(BITMAPS, left, right))).toEqual(members(left).union(members(right)));
      expect(members(allBut(left))).toEqual(all.difference(members(left)));
    }),
  );
});

test("what is known stays known only while no number can come from elsewhere", () => {
  const field = { set: "a", complement: false, known: true };
  const event = { set: "b", complement: false, known: false };
  expect(intersect(BITMAPS, event, field).known).toBe(true);
  expect(intersect(BITMAPS, field, allBut(event)).known).toBe(true);
  expect(intersect(BITMAPS, event, allBut(field)).known).toBe(false);
  expect(unite(BITMAPS, field, event).known).toBe(false);
  expect(unite(BITMAPS, field, field).known).toBe(true);
});
