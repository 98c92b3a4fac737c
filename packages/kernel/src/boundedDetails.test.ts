import { expect, test } from "vitest";
import { boundedDetails } from "./boundedDetails.ts";

const detail = (path: string, message = "It is wrong.") => ({ path, code: "bad_value", message });

test("usual details are shown as they are", () => {
  const usual = Array.from({ length: 100 }, (_, index) => detail(`/items/${index}`));
  expect(boundedDetails(usual)).toEqual(usual);
  expect(boundedDetails([detail("")])).toEqual([detail("")]);
});

test("the first hundred are shown, however many there are", () => {
  const many = Array.from({ length: 10_000 }, (_, index) => detail(`/${index}`));
  expect(boundedDetails(many)).toEqual(many.slice(0, 100));
  expect(boundedDetails(many, 10)).toEqual(many.slice(0, 10));
});

test("a place with a name of 9 KB is shown whole, one whose name is longer by what it stands in", () => {
  const nine = `/properties/0${".0".repeat(4_499)}`;
  expect(boundedDetails([detail(nine)])).toEqual([detail(nine)]);
  expect(boundedDetails([detail(`/properties/${"n".repeat(200_000)}/inner`)])[0]?.path).toBe("/properties");
  expect(boundedDetails([detail(`/${"n".repeat(200_000)}`)])[0]?.path).toBe("");
});

test("long places and messages of many details stay within 64 Ki characters", () => {
  const long = Array.from({ length: 100 }, (_, index) => detail(`/${"n".repeat(10_000)}/${index}`, "😀".repeat(5_000)));
  const shown = boundedDetails(long);
  expect(shown.length).toBeGreaterThan(1);
  expect(JSON.stringify(shown).length).toBeLessThan(80_000);
  expect(shown.every(({ message }) => message.isWellFormed())).toBe(true);
});
