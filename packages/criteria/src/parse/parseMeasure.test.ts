import { expect, test } from "vitest";
import { context } from "./exampleAccount.ts";
import { parseCriteria } from "./parseCriteria.ts";

test("a number beyond what a count or a sum is compared with is told the bound", () => {
  const messageOf = (rule: object) => {
    const parsed = parseCriteria(rule, context);
    return parsed.kind === "ok" ? undefined : parsed.errors.map(({ path, code, message }) => [path, code, message]);
  };
  const sumOver = (value: unknown) => messageOf({ order: true, sum: { of: "totalAmount", op: "lt", value } });
  const ofSum = "a sum must be compared with a number below 10^24";
  expect(sumOver(1e300)).toEqual([["/sum/value", "bad_value", ofSum]]);
  expect(sumOver("a lot")).toEqual([["/sum/value", "type_mismatch", ofSum]]);
  expect([sumOver(1e23), sumOver(-1e23), sumOver("9".repeat(24))]).toEqual([undefined, undefined, undefined]);
  const ofCount = "a count must be compared with an integer from 0 to 1000000000";
  expect(messageOf({ event: "a", count: { op: "lt", value: 1_000_000_001 } })).toEqual([
    ["/count/value", "bad_value", ofCount],
  ]);
});
