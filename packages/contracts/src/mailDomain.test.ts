import { expect, test } from "vitest";
import { asciiDomain, carriesSender, mailDomain, withAsciiDomain } from "./mailDomain.ts";

test.each([
  ["Example.COM", "example.com"],
  ["münchen.example", "xn--mnchen-3ya.example"],
  ["MU\u0308NCHEN.example", "xn--mnchen-3ya.example"],
  ["xn--mnchen-3ya.example", "xn--mnchen-3ya.example"],
  ["straße.example", "xn--strae-oqa.example"],
  ["[192.0.2.1]", "[192.0.2.1]"],
  ["not a domain", "not a domain"],
  ["", ""],
])("the domain %j has the one form %j", (input, one) => {
  expect([asciiDomain(input), asciiDomain(asciiDomain(input))]).toEqual([one, one]);
});

test("an address keeps what stands before its last @", () => {
  expect(withAsciiDomain("Zoë@münchen.example")).toBe("Zoë@xn--mnchen-3ya.example");
  expect(withAsciiDomain('"a@b"@Example.com')).toBe('"a@b"@example.com');
  expect(withAsciiDomain("nobody")).toBe("nobody");
  expect([mailDomain("a@MÜNCHEN.example"), mailDomain("nobody")]).toEqual(["xn--mnchen-3ya.example", undefined]);
});

test("a transport carries senders of its domains, in either spelling", () => {
  const domains = ["xn--mnchen-3ya.example"];
  expect(["a@München.example", "a@xn--mnchen-3ya.example"].map((from) => carriesSender(domains, from))).toEqual([
    true,
    true,
  ]);
  expect(["a@other.example", "a@news.münchen.example", ""].map((from) => carriesSender(domains, from))).toEqual([
    ...[false, false, false],
  ]);
  expect([carriesSender(undefined, "a@other.example"), carriesSender([], "a@other.example")]).toEqual([true, false]);
});
