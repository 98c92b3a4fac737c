import { expect, test } from "vitest";
import { boundedDetails, noteCut } from "./boundedDetails.ts";

const detail = (path: string, message = "It is wrong.") => ({ path, code: "bad_value", message });

test("usual details are shown as they are", () => {
  const fallback = Array.from({ length: 100 }, (_, index) => detail(`/items/${index}`));
  expect(boundedDetails(fallback)).toEqual(fallback);
  expect(boundedDetails([detail("")])).toEqual([detail("")]);
});

test("the first hundred are shown, however many there are", () => {
  const many = Array.from({ length: 10_000 }, (_, index) => detail(`/${index}`));
  expect(boundedDetails(many)).toEqual(many.slice(0, 100));
  expect(boundedDetails(many, 10)).toEqual(many.slice(0, 10));
});

test("the allowed values of all details stay within 64 Ki characters", () => {
  const many = Array.from({ length: 100 }, (_, index) => ({ ...detail(`/${index}`), allowed: ["n".repeat(1_024)] }));
  expect(boundedDetails(many)).toEqual(many.slice(0, 64));
});

test("a message tells that more details were found than are shown", () => {
  expect(noteCut("2 rules are not valid", { found: 2, shown: 2 })).toBe("2 rules are not valid");
  expect(noteCut("400 rules are not valid", { found: 400, shown: 300 })).toBe(
    "400 rules are not valid; the first 300 details are shown",
  );
  expect(noteCut("The request body is invalid.", { found: 101, shown: 100 })).toBe(
    "The request body is invalid; the first 100 details are shown.",
  );
});

test("a place with a name of 9 KB is shown whole, one whose name is longer by what it stands in", () => {
  const nine = `/properties/0${".0".repeat(4_499)}`;
  expect(boundedDetails([detail(nine)])).toEqual([detail(nine)]);
  expect(boundedDetails([detail(`/properties/${"n".repeat(200_000)}/inner`)])[0]?.path).toBe("/properties");
  expect(boundedDetails([detail(`/${"n".repeat(200_000)}`)])[0]?.path).toBe("");
});

test("long places and messages of many details stay within 64 Ki characters", () => {
  const long = Array.from({ length: 100 }, (_, index) => detail(`/${"n".repeat(10_000)}/${index}`, "😀".repeat(5_000)));
  const view = boundedDetails(long);
  expect(view.length).toBeGreaterThan(1);
  expect(JSON.stringify(view).length).toBeLessThan(80_000);
  expect(view.every(({ message }) => message.isWellFormed())).toBe(true);
});
