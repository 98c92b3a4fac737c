import { describe, expect, test } from "vitest";
import { ActivityWindow } from "./activityWindow.ts";

describe("the window of activities", () => {
  test("remembers an activity for as many records as it is wide, and then forgets it", () => {
    const window = new ActivityWindow(10);
    window.advance(5, 1, ["a"]);
    window.advance(6, 9, []);
    expect(window.has("a")).toBe(true);
    expect(window.from).toBe(5);
    window.advance(7, 2, []);
    expect(window.has("a")).toBe(false);
    expect(window.from).toBeUndefined();
  });

  test("an activity that is applied again after it was forgotten is remembered anew", () => {
    const window = new ActivityWindow(4);
    window.advance(1, 1, ["a"]);
    window.advance(2, 9, []);
    window.advance(3, 1, ["a", "b"]);
    expect([window.has("a"), window.has("b"), window.has("c")]).toEqual([true, true, false]);
    expect(window.from).toBe(3);
  });

  test("a UID made up to have the unkeyed hash of another account's is not taken for its repeat", () => {
    const [theirs, crafted] = [
      "1\nemail\nvictim@example.com\norder-3163",
      "2\nemail\nsender@example.com\nx1720874\u2225",
    ];
    const window = new ActivityWindow(10);
    window.advance(1, 1, [crafted]);
    expect([window.has(crafted), window.has(theirs)]).toEqual([true, false]);
  });
});
