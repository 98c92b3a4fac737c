import { describe, expect, test } from "vitest";
import { compileCriteria } from "../compile/compileCriteria.ts";
import { context, errorsOf } from "../parse/exampleAccount.ts";
import { parseCriteria } from "../parse/parseCriteria.ts";
import type { SampleLeaf } from "./sample.ts";

test.each([
  [{ percent: 33.33 }, [0, 33_330_000]],
  [{ percent: 33.33, from: 33.33 }, [33_330_000, 66_660_000]],
  [{ percent: 33.34, from: 66.66 }, [66_660_000, 100_000_000]],
  [{ percent: 0.1, from: 0.2 }, [200_000, 300_000]],
  [{ percent: 100 }, [0, 100_000_000]],
])("the sample %j begins where its neighbour ends", (sample, [from, to]) => {
  expect(parseCriteria({ sample }, context)).toMatchObject({ kind: "ok", criteria: { from, to } });
});

test.each([
  [{ percent: 33.333 }, "/sample/percent"],
  [{ percent: 10, from: 0.001 }, "/sample/from"],
])("the sample %j has more decimals than shares have, and is refused", (sample, path) => {
  expect(parseCriteria({ sample }, context)).toMatchObject({ kind: "invalid", errors: [{ path, code: "bad_value" }] });
});

const options = { account: 1, basis: "recorded", timezone: "UTC", now: 0, hasMerges: false, currency: "EUR" } as const;
const boundsOf = (leaf: SampleLeaf) =>
  Object.values(compileCriteria(leaf, options).params).filter((value) => typeof value === "number");

test("a range that was stored in hundredths of a percent means what it meant", () => {
  const stored: SampleLeaf = { kind: "sample", path: "", salt: "s", from: 500, to: 1_500 };
  const finer: SampleLeaf = { ...stored, from: 5_000_000, to: 15_000_000, whole: 100_000_000 };
  expect(boundsOf(finer)).toEqual(expect.arrayContaining([5_000_000, 15_000_000]));
  expect(boundsOf(stored)).toEqual(boundsOf(finer));
});

describe("a wrong rule about a sample is reported with its pointer and code", () => {
  test.each<[string, unknown, string[]]>([
    ["a sample beyond the whole", { sample: { percent: 60, from: 60 } }, ["/sample bad_value"]],
    ["a sample without a share", { sample: {} }, ["/sample/percent type_mismatch"]],
    ["a long salt", { sample: { percent: 1, salt: "s".repeat(65) } }, ["/sample/salt limit_exceeded"]],
  ])("%s", (_, rule, errors) => {
    expect(errorsOf(rule)).toEqual(errors);
  });
});
