import { expect, test } from "vitest";
import { context } from "./exampleAccount.ts";
import { parseCriteria } from "./parseCriteria.ts";

test.each([
  [{ percent: 33.333 }, [0, 33_333_000]],
  [{ percent: 33.3333333 }, [0, 33_333_333]],
  [{ percent: 33.3333333, from: 33.3333333 }, [33_333_333, 66_666_667]],
  [{ percent: 33.3333334, from: 66.6666666 }, [66_666_667, 100_000_000]],
  [{ percent: 100 }, [0, 100_000_000]],
])("the ends of the sample %j are rounded, so that samples side by side meet", (sample, [from, to]) => {
  expect(parseCriteria({ sample }, context)).toMatchObject({ kind: "ok", criteria: { from, to } });
});
