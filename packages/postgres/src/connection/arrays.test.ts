import { expect, test } from "vitest";
import { jsonTexts, plainArray, textArray } from "./arrays.ts";

const self = <T>(value: T): T => value;

test("numbers and nothing go without quotes", () => {
  expect(plainArray([1, -2, null], self)).toBe("{1,-2,NULL}");
  expect(plainArray([true, false], self)).toBe("{true,false}");
  expect(plainArray<number>([], self)).toBe("{}");
});

test("texts are quoted, and quotes and backslashes in them escaped", () => {
  expect(textArray(["a", 'q"', "b\\", "NULL", "", "x,y", null], self)).toBe(
    String.raw`{"a","q\"","b\\","NULL","","x,y",NULL}`,
  );
});

test("JSON texts are parted by a character that none of them can hold", () => {
  const texts = ["\u001f", "a"].map((text) => JSON.stringify({ text }));
  expect(jsonTexts(texts, self).split("\u001f")).toEqual(texts);
});
