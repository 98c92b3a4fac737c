import { describe, expect, test } from "vitest";
import { selfPauseOf } from "./health.ts";

const judge = ({ renders = "", answers = "" }: { renders?: string; answers?: string }) =>
  selfPauseOf({ renders, answers });

describe("a message pauses itself", () => {
  test("at once when our side is wrong without a doubt, else at the third fault in a row", () => {
    expect(judge({ answers: "d" })).toBe("transport");
    expect(judge({ answers: "tt" })).toBeUndefined();
    expect(judge({ answers: "tt.tt" })).toBeUndefined();
    expect(judge({ answers: "..ttt" })).toBe("transport");
  });

  test("when policy refuses 5 % of the last 200, and not before there are 200", () => {
    expect(judge({ answers: "p".repeat(199) })).toBeUndefined();
    expect(judge({ answers: `${".".repeat(191)}${"p".repeat(9)}` })).toBeUndefined();
    expect(judge({ answers: `${".".repeat(190)}${"p".repeat(10)}` })).toBe("blocked");
    expect(judge({ answers: `${"p".repeat(10)}${".".repeat(190)}` })).toBe("blocked");
    expect(judge({ answers: `${"p".repeat(10)}${".".repeat(191)}` })).toBeUndefined();
  });

  test("when 20 of the first 100 cannot be rendered", () => {
    expect(judge({ renders: "f".repeat(19) })).toBeUndefined();
    expect(judge({ renders: "f".repeat(20) })).toBe("render");
    expect(judge({ renders: `${".".repeat(80)}${"f".repeat(20)}` })).toBe("render");
    expect(judge({ renders: `${".".repeat(81)}${"f".repeat(20)}` })).toBeUndefined();
  });
});
