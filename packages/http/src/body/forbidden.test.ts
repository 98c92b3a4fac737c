import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findForbidden, mayHoldForbidden } from "./forbidden.ts";

describe("what no store can hold", () => {
  it.each([
    ['{"a":"x\\u0000y"}', "/a", "bad_value"],
    ['{"a":["ok","\\ud83d"]}', "/a/1", "bad_value"],
    ['{"a":{"b\\uDE00":1}}', "/a/b\ufffd", "bad_value"],
    ['{"a":{"__proto__":{"admin":true}}}', "/a/__proto__", "not_allowed"],
    ['{"\\u005f_proto__":1}', "/__proto__", "not_allowed"],
    ['{"_\\u005Fproto\\u005f_":1}', "/__proto__", "not_allowed"],
    ['{"a/b":{"c~d":"\\u0000"}}', "/a~1b/c~0d", "bad_value"],
    ['"\\u0000"', "", "bad_value"],
  ])("%s is found at %s", (text, path, code) => {
    expect(mayHoldForbidden(text)).toBe(true);
    expect(findForbidden(JSON.parse(text))).toMatchObject({ path, code });
  });

  it.each(['{"a":"\\ud83d\\ude00"}', '{"proto":"\\u00e9"}', '{"a":"__proto"}', "[]", "1", "null"])(
    "%s is fine",
    (text) => {
      expect(findForbidden(JSON.parse(text))).toBeUndefined();
    },
  );

  it("a hundred thousand levels do not exhaust the stack", () => {
    const text = `${'{"a":'.repeat(100_000)}"\\u0000"${"}".repeat(100_000)}`;
    expect(findForbidden(JSON.parse(text))).toMatchObject({ code: "bad_value" });
  });

  it("nothing forbidden passes the cheap test of the text, however it is escaped", () => {
    const escapeAll = (text: string) =>
      [...text]
        .map((c) =>
          c === '"' || c === "\\" || c < " " || c > "~" ? c : `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`,
        )
        .join("");
    const names = fc.constantFrom("__proto__", "proto", "a", "\u0000", "\ud800", "é");
    fc.assert(
      fc.property(fc.dictionary(names, names), fc.boolean(), (value, isEscaped) => {
        const entries = [["__proto__", "x"], ...Object.entries(value)].slice(isEscaped ? 0 : 1);
        const quote = (text: string) =>
          JSON.stringify(text).replace(/^"(.*)"$/s, (_all, inner: string) => `"${inner}"`);
        const text = `{${entries.map(([name = "", inner = ""]) => `${isEscaped && name === "__proto__" ? `"${escapeAll(name)}"` : quote(name)}:${quote(inner)}`).join(",")}}`;
        const found = findForbidden(JSON.parse(text));
        expect(found === undefined || mayHoldForbidden(text)).toBe(true);
      }),
    );
  });
});
