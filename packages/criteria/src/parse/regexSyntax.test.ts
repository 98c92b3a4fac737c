import { describe, expect, test } from "vitest";
import { context, errorsOf, field } from "./exampleAccount.ts";
import { parseCriteria } from "./parseCriteria.ts";

describe("regular expressions", () => {
  test.each(["^a+$", "(?i)abc", "(?P<n>x)", "[[:alpha:]]+\\d{2,5}", "\\bx\\z", "a\\(?=b", "[(?=]"])(
    "RE2 takes %s",
    (value) => {
      expect(errorsOf(field({ op: "regex", value }))).toEqual([]);
    },
  );

  test.each([
    ...[
      "\\p{L}+",
      "(?i)\\p{L}+",
      "\\P{Greek}+\\pN+",
      "\\++",
      "^\\++1",
      "a\\*+",
      "\\?+",
      "\\}+",
      "a}+",
      "a{,2}+",
      "[*+?]+",
      "[*+]+?",
    ],
    ...[
      "\\x{1F600}+",
      "\\x{1001}",
      "[{1001}]",
      "\\{1001}",
      "\\Qa*+(?=\\E+",
      "[(?=](?:x)+",
      "\\(?>",
      "[\\]+*]+",
      "[^]+*]+",
      "[]()]",
    ],
    ...["\\12", "\\\\1", "^*a$", "\\b+", "[b$-a]", "[+--]", "[!-~]", "(?P<n>a)+", "(?i:a)+", "[[:alpha:]*+]+"],
  ])("RE2 takes %s, whose signs are literals", (value) => {
    expect(errorsOf(field({ op: "regex", value }))).toEqual([]);
  });

  test.each(["a*+", "a++", "a?+", "a{1}+", "a{1,}+", "(a)*+", "[a]*+", "\\++\\**+", "\\p{L}++"])(
    "RE2 refuses the possessive quantifier of %s",
    (value) => {
      const parsed = parseCriteria({ field: "attributes.color", op: "regex", value }, context);
      const [error] = parsed.kind === "invalid" ? parsed.errors : [];
      expect(error?.message).toContain("possessive quantifiers are not supported");
    },
  );

  test.each([
    "a(?=b)",
    "(?<!x)y",
    "(a)\\1",
    "(",
    "[a",
    "a**b",
    "x{1001}",
    "(?>a)",
    "",
    "a\\",
    "\\8",
    "\\k<n>",
    "[z-a]",
    "(?x)a",
  ])("RE2 refuses %s", (value) => {
    expect(errorsOf(field({ op: "regex", value }))).toEqual(["/value bad_value"]);
  });

  test("256 characters are the limit", () => {
    expect(errorsOf(field({ op: "regex", value: "a".repeat(256) }))).toEqual([]);
    expect(errorsOf(field({ op: "regex", value: "a".repeat(257) }))).toEqual(["/value limit_exceeded"]);
  });
});
