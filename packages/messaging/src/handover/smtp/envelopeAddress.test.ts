import { expect, test } from "vitest";
import { envelopeAddress } from "./smtpHandover.ts";

test.each([
  ["ada@example.com", "ada@example.com"],
  ["a.b..c.@example.com", "a.b..c.@example.com"],
  ['"quoted local"@example.com', '"quoted local"@example.com'],
  ['"a\\"b@c"@example.com', '"a\\"b@c"@example.com'],
  ["a+b/c=d@mail_1.example.com", "a+b/c=d@mail_1.example.com"],
  ["ada@exämple.com", "ada@xn--exmple-cua.com"],
  ["jörg@例え.jp", "jörg@xn--r8jz45g.jp"],
  ["a@[127.0.0.1]", "a@[127.0.0.1]"],
])("%s stands in an envelope as %s", (address, expected) => {
  expect(envelopeAddress(address)).toBe(expected);
});

test.each([
  "ada",
  "@",
  "ada@",
  "@example.com",
  "a b@example.com",
  "a@b@example.com",
  "a@example.com, b@example.com",
  "a,b@example.com",
  "<a@example.com>",
  "a@example.com>",
  "a@b\r\nRCPT TO:<c@example.com>",
  "a\n@example.com",
  "a@exa mple.com",
  "a@example..com",
])("%j is no mailbox", (address) => {
  expect(envelopeAddress(address)).toBeUndefined();
});
