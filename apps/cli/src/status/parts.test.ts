import { expect, test } from "vitest";
import { isEveryPartHealthy, type PartStatus, unknownPart } from "./parts.ts";

const service: PartStatus = { part: "service", state: "ok", detail: "answers" };

test("what has no address is no part of this set-up, and something has to be", () => {
  expect(isEveryPartHealthy([service, unknownPart("postgres"), unknownPart("topics")])).toBe(true);
  expect(isEveryPartHealthy([unknownPart("service"), unknownPart("postgres")])).toBe(false);
});

test.each(["away", "differs", "held", "missing", "stuck"] as const)(
  "one part that is %s is enough to fail",
  (state) => {
    expect(isEveryPartHealthy([service, { ...service, state }])).toBe(false);
  },
);
