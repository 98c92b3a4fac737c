import { expect, test } from "vitest";
import { changesOf, digestOf, withoutGenerated } from "./changes.ts";

test.each([
  [undefined, { a: 1 }, [{ path: "", from: null, to: { a: 1 } }]],
  [{ a: 1 }, undefined, [{ path: "", from: { a: 1 }, to: null }]],
  [{ a: 1, b: { c: 2 } }, { a: 1, b: { c: 2 } }, []],
  [{ b: { "c/d": 2 } }, { b: { "c/d": 3, e: null } }, [{ path: "/b/c~1d", from: 2, to: 3 }]],
  [{ list: [1, 2] }, { list: [2, 1] }, [{ path: "/list", from: [1, 2], to: [2, 1] }]],
  [{ a: { b: 1 } }, { a: 7 }, [{ path: "/a", from: { b: 1 }, to: 7 }]],
  [{ asOf: "1", stats: { sent: 1 } }, { asOf: "2", stats: { sent: 2 } }, []],
])("the changes from %j to %j are %j", (before, after, changes) => {
  expect(changesOf({ before, after })).toEqual(changes);
});

test("what two runs make differently is no part of the digest, and everything else is", () => {
  const digest = (first: object, second: object) =>
    digestOf(changesOf({ before: { n: 0 }, after: withoutGenerated(first, second) }), [{ updated: 1 }]);
  const run = (id: string, n: number) => ({ n, id, rows: [{ id, name: "a" }], [id]: 1 });
  expect(digest(run("x", 1), run("y", 1))).toBe(digest(run("v", 1), run("w", 1)));
  expect(digest(run("x", 1), run("y", 1))).not.toBe(digest(run("x", 2), run("y", 2)));
  expect(digest(run("x", 1), run("y", 1))).toMatch(/^[\w-]{43}$/);
});
