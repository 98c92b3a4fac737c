import { expect, test } from "vitest";
import type { SampleLeaf } from "../leaves/sample/sample.ts";
import { compileCriteria } from "./compileCriteria.ts";

const options = { account: 1, basis: "recorded", timezone: "UTC", now: 0, hasMerges: false, currency: "EUR" } as const;
const boundsOf = (leaf: SampleLeaf) =>
  Object.values(compileCriteria(leaf, options).params).filter((value) => typeof value === "number");

test("a range that was stored in hundredths of a percent means what it meant", () => {
  const stored: SampleLeaf = { kind: "sample", path: "", salt: "s", from: 500, to: 1_500 };
  const finer: SampleLeaf = { ...stored, from: 5_000_000, to: 15_000_000, whole: 100_000_000 };
  expect(boundsOf(finer)).toEqual(expect.arrayContaining([5_000_000, 15_000_000]));
  expect(boundsOf(stored)).toEqual(boundsOf(finer));
});
