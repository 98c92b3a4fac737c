import { describe, expect, test } from "vitest";
import { selfPauseOf } from "./health.ts";

const validate = ({ renders = "", answers = "" }: { renders?: string; answers?: string }) =>
  selfPauseOf({ renders, answers });

describe("a message pauses itself", () => {
  test("at once when our side is wrong without a doubt, else at the third fault in a row", () => {
    expect(validate({ answers: "d" })).toBe("transport");
    expect(validate({ answers: "tt" })).toBeUndefined();
    expect(validate({ answers: "tt.tt" })).toBeUndefined();
    expect(validate({ answers: "..ttt" })).toBe("transport");
  });

  test("when policy refuses 5 % of the last 200, and not before there are 200", () => {
    expect(validate({ answers: "p".repeat(199) })).toBeUndefined();
    expect(validate({ answers: `${".".repeat(191)}${"p".repeat(9)}` })).toBeUndefined();
    expect(validate({ answers: `${".".repeat(190)}${"p".repeat(10)}` })).toBe("blocked");
    expect(validate({ answers: `${"p".repeat(10)}${".".repeat(190)}` })).toBe("blocked");
    expect(validate({ answers: `${"p".repeat(10)}${".".repeat(191)}` })).toBeUndefined();
  });

  test("when 20 of the first 100 cannot be rendered", () => {
    expect(validate({ renders: "f".repeat(19) })).toBeUndefined();
    expect(validate({ renders: "f".repeat(20) })).toBe("render");
    expect(validate({ renders: `${".".repeat(80)}${"f".repeat(20)}` })).toBe("render");
    expect(validate({ renders: `${".".repeat(81)}${"f".repeat(20)}` })).toBeUndefined();
  });
});
