import { hashAddress, hashEncodings } from "@headwater/contracts";
import { expect, test } from "vitest";
import { tracesOf } from "./traces.ts";

/** Postgres' `\Uxxxxxxxx` is `\u{xxxxxxxx}` here. */
function matches(pattern: string, text: string): boolean {
  return new RegExp(pattern.replaceAll(/\\U([0-9a-f]{8})/g, "\\u{$1}"), "iu").test(text);
}
const identifiers = [
  { name: "email", value: "ann@x.org" },
  { name: "customer_id", value: "17" },
];
const { json, path } = tracesOf(1, { version: "0".repeat(32), identifiers });

test("a text is about the person when it holds the address, or another identifier under its name", () => {
  expect(matches(json, '{"attributes":{"mail":" Ann@X.org "}}')).toBe(true);
  expect(matches(json, '{"identifiers":{"customer_id":"17"}}')).toBe(true);
  expect(matches(json, '{"identifiers":{"customer_id":17}}')).toBe(true);
});

test("an address that is longer, another person's number and other members of the same value are not", () => {
  expect(matches(json, '{"email":"joann@x.org"}')).toBe(false);
  expect(matches(json, '{"email":"ann@x-org"}')).toBe(false);
  expect(matches(json, '{"customer_id":"170"}')).toBe(false);
  expect(matches(json, '{"qty":"17"}')).toBe(false);
});

test("a path is about the person when one of its parts is an identifier", () => {
  expect(matches(path, "PUT /v2/contacts/email%3Aann%40x.org/cart")).toBe(true);
  expect(matches(path, "DELETE /v2/contacts/ann%40x.org")).toBe(true);
  expect(matches(path, "DELETE /v2/contacts/customer_id%3A17")).toBe(true);
  expect(matches(path, "DELETE /v2/contacts/customer_id%3A170")).toBe(false);
});

test("a text that names somebody by the hash of an address is about them", () => {
  const { json } = tracesOf(1, { version: "0".repeat(32), identifiers: [{ name: "email", value: "ann@x.org" }] });
  for (const encoding of hashEncodings) {
    const hash = hashAddress(encoding, "ann@x.org").toUpperCase();
    expect(matches(json, `{"identifiers":{"${encoding}(email)":"${hash}"}}`)).toBe(true);
  }
  expect(matches(json, `{"hash":"${hashAddress("sha256", "bob@x.org")}"}`)).toBe(false);
});
