import { describe, expect, test } from "vitest";
import { errorsOf, field } from "./exampleAccount.ts";

describe("regular expressions", () => {
  test.each(["^a+$", "(?i)abc", "(?P<n>x)", "[[:alpha:]]+\\d{2,5}", "\\bx\\z", "a\\(?=b", "[(?=]"])(
    "RE2 takes %s",
    (value) => {
      expect(errorsOf(field({ op: "regex", value }))).toEqual([]);
    },
  );

  test.each(["a(?=b)", "(?<!x)y", "(a)\\1", "(", "[a", "a**b", "x{1001}", "(?>a)", "", "a\\"])(
    "RE2 refuses %s",
    (value) => {
      expect(errorsOf(field({ op: "regex", value }))).toEqual(["/value bad_value"]);
    },
  );

  test("256 characters are the limit", () => {
    expect(errorsOf(field({ op: "regex", value: "a".repeat(256) }))).toEqual([]);
    expect(errorsOf(field({ op: "regex", value: "a".repeat(257) }))).toEqual(["/value limit_exceeded"]);
  });
});
