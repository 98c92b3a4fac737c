import { expect, test } from "vitest";
import { findEnabledTest } from "./enabledTest.ts";

test("the experiment of a message is the test that is enabled, wherever it stands", () => {
  const [off, on] = [
    { enabled: false, name: "off" },
    { enabled: true, name: "on" },
  ];
  expect(findEnabledTest([off, on, off])).toEqual({ place: 1, test: on });
  expect(findEnabledTest([off])).toBeUndefined();
  expect(findEnabledTest([])).toBeUndefined();
});
