import { expect, test } from "vitest";
import { context } from "./exampleAccount.ts";
import { parseCriteria } from "./parseCriteria.ts";

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
