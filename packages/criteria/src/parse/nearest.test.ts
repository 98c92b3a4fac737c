import fc from "fast-check";
import { expect, test } from "vitest";
import { nearestNames } from "./nearest.ts";

test("the three that are spelled most like the name, best first, whatever their case and place", () => {
  const others = Array.from({ length: 3_000 }, (_, index) => `attributes.property_number_${index}`);
  const names = [...others, "attributes.Colors", "attributes.color", "attributes.colour2"];
  expect(nearestNames("attributes.colour", names)).toEqual([
    "attributes.color",
    "attributes.colour2",
    "attributes.Colors",
  ]);
});

test("nothing is suggested for a name that is like no other", () => {
  expect(nearestNames("zzzzzzzz", ["attributes.color", "cID"])).toEqual([]);
  expect(nearestNames("x", [])).toEqual([]);
});

test("suggestions are those that comparing every name letter by letter gives", () => {
  const name = fc.string({ minLength: 1, maxLength: 12, unit: fc.constantFrom("a", "b", "C", "c", ".", "é") });
  fc.assert(
    fc.property(name, fc.uniqueArray(name, { maxLength: 60 }), (wanted, names) => {
      expect(nearestNames(wanted, names)).toEqual(comparedAll(wanted, names));
    }),
  );
});

function comparedAll(name: string, names: readonly string[]): string[] {
  const wanted = name.toLowerCase();
  return names
    .map((candidate) => ({ candidate, distance: distanceOf(wanted, candidate.toLowerCase()) }))
    .filter(
      ({ candidate, distance }) => distance <= Math.max(1, Math.floor(Math.max(wanted.length, candidate.length) / 2)),
    )
    .sort((a, b) => a.distance - b.distance || (a.candidate < b.candidate ? -1 : 1))
    .slice(0, 3)
    .map(({ candidate }) => candidate);
}

function distanceOf(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let at = 1; at <= left.length; at++) {
    const next = [at];
    for (let column = 1; column <= right.length; column++) {
      const changed = (row[column - 1] ?? 0) + (left[at - 1] === right[column - 1] ? 0 : 1);
      next.push(Math.min(changed, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[right.length] ?? 0;
}
