import fc from "fast-check";
import { expect, test } from "vitest";
import { hasForbiddenText, jsonBeginning, storableText, withoutTrailing } from "./text.ts";

test.each([
  ["NUL in a string", "a\u0000b"],
  ["a lone high surrogate", ["ok", "\ud83d"]],
  ["a lone low surrogate", { a: { b: "\ude00x" } }],
  ["NUL in a member's name", { "a\u0000": 1 }],
  ["a surrogate deep in arrays", [[[[{ a: [null, "\udc00"] }]]]]],
])("%s is forbidden", (_what, value) => {
  expect(hasForbiddenText(value)).toBe(true);
});

test("well-formed JSON, emoji and other control characters included, is allowed", () => {
  const value = fc.jsonValue({ stringUnit: "binary" });
  fc.assert(fc.property(value, (json) => hasForbiddenText(json) === JSON.stringify(json).includes("\\u0000")));
  expect(hasForbiddenText({ "😀": ["é\n\u0001", 1, null, true] })).toBe(false);
});

test("a value nested 100,000 deep is walked without exhausting the stack", () => {
  expect(hasForbiddenText(JSON.parse(`${"[".repeat(100_000)}"\\ud800"${"]".repeat(100_000)}`))).toBe(true);
});

test("text only enters a body by an escape, so a body without one need not be walked", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      const body = JSON.stringify({ text });
      expect(!hasForbiddenText(JSON.parse(body)) || body.includes("\\u")).toBe(true);
    }),
  );
});

test("text that Postgres refuses is stored with replacement characters, all other text as it is", () => {
  expect(storableText("a\u0000b\ud800")).toBe("a\ufffdb\ufffd");
  expect(storableText("plain é")).toBe("plain é");
});

test("the beginning of JSON is known behind blanks and marks, in UTF-16 as well, and other text by none", () => {
  const beginnings = { array: ["[{", " \n[ {", "[]", "\uFEFF[{"], object: ["{}", '\uFEFF {"a":1}', " {"] };
  for (const [beginning, texts] of Object.entries(beginnings)) {
    for (const text of texts) {
      expect(jsonBeginning(Buffer.from(text))).toBe(beginning);
      expect(jsonBeginning(Buffer.from(text, "utf16le"))).toBe(beginning);
    }
  }
  for (const text of ["[email],name", "a[{", "", "a{"]) expect(jsonBeginning(Buffer.from(text))).toBeUndefined();
});

test.each([
  ["", "0", ""],
  ["000", "0", ""],
  ["10010", "0", "1001"],
  ["/a//", "/", "/a"],
  ["a", "0", "a"],
])("%j without trailing %j is %j", (text, character, expected) => {
  expect(withoutTrailing(text, character)).toBe(expected);
});
