import { expect, test } from "vitest";
import { asciiDomain, mailDomain, withAsciiDomain } from "./mailDomain.ts";

test.each([
  ["Example.COM", "example.com"],
  ["münchen.example", "xn--mnchen-3ya.example"],
  ["MU\u0308NCHEN.example", "xn--mnchen-3ya.example"],
  ["xn--mnchen-3ya.example", "xn--mnchen-3ya.example"],
  ["straße.example", "xn--strae-oqa.example"],
  ["[192.0.2.1]", "[192.0.2.1]"],
  ["not a domain", "not a domain"],
  ["", ""],
])("the domain %j has the one form %j", (given, one) => {
  expect([asciiDomain(given), asciiDomain(asciiDomain(given))]).toEqual([one, one]);
});

test("an address keeps what stands before its last @", () => {
  expect(withAsciiDomain("Zoë@münchen.example")).toBe("Zoë@xn--mnchen-3ya.example");
  expect(withAsciiDomain('"a@b"@Example.com')).toBe('"a@b"@example.com');
  expect(withAsciiDomain("nobody")).toBe("nobody");
  expect([mailDomain("a@MÜNCHEN.example"), mailDomain("nobody")]).toEqual(["xn--mnchen-3ya.example", undefined]);
});
