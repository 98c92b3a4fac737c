import fc from "fast-check";
import { expect, test } from "vitest";
import { choosePath, isHeldOut } from "./split.ts";

const CONTACTS = Array.from({ length: 5_000 }, (_, index) => index + 1);
const by = (contact: number) => ({ orchestration: "65f0c0ffee65f0c0ffee0001", node: "split", contact });
const chosen = (paths: readonly { label: string; weight: number }[]) =>
  CONTACTS.map((one) => choosePath(paths, by(one)));
const share = (labels: readonly unknown[], label: string) =>
  labels.filter((one) => one === label).length / labels.length;

const path = fc.record({
  label: fc.string({ minLength: 1, maxLength: 5 }),
  weight: fc.double({ min: 0.01, max: 100, noNaN: true }),
});
const paths = fc.uniqueArray(path, { minLength: 2, maxLength: 6, selector: ({ label }) => label });

test("a path that is added takes contacts and moves nobody between the others, in whatever order the paths stand", () => {
  fc.assert(
    fc.property(paths, ([added, ...before]) => {
      if (added === undefined) return;
      const [old, now] = [chosen(before), chosen([...before, added].toReversed())];
      expect(now.every((label, index) => label === added.label || label === old[index])).toBe(true);
    }),
    { numRuns: 20 },
  );
});

test("shares follow the weights, and a weight of 0 takes nobody", () => {
  const labels = chosen([
    { label: "a", weight: 6 },
    { label: "b", weight: 3 },
    { label: "c", weight: 1 },
    { label: "d", weight: 0 },
  ]);
  for (const [label, expected] of [
    ["a", 0.6],
    ["b", 0.3],
    ["c", 0.1],
    ["d", 0],
  ] as const) {
    expect(Math.abs(share(labels, label) - expected)).toBeLessThan(0.02);
  }
});

test("other nodes and orchestrations divide contacts in other ways", () => {
  const two = [
    { label: "a", weight: 1 },
    { label: "b", weight: 1 },
  ];
  const same = CONTACTS.filter((one) => choosePath(two, by(one)) === choosePath(two, { ...by(one), node: "other" }));
  expect(Math.abs(same.length / CONTACTS.length - 0.5)).toBeLessThan(0.03);
});

test("who is held out stays so when the percentage rises", () => {
  const held = (percent: number) => CONTACTS.filter((one) => isHeldOut(percent, by(one)));
  expect([held(0).length, held(100).length]).toEqual([0, CONTACTS.length]);
  expect(Math.abs(held(10).length / CONTACTS.length - 0.1)).toBeLessThan(0.02);
  const more = new Set(held(20));
  expect(held(10).every((one) => more.has(one))).toBe(true);
});
