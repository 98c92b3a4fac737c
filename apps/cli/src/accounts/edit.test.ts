import { defaultSettings } from "@headwater/contracts";
import { HeadwaterError } from "@headwater/kernel";
import { expect, test } from "vitest";
import { parseDocument } from "./document.ts";
import { readingsOf, setAt } from "./edit.ts";

test("a place is a name, a dotted name or a JSON pointer into objects and arrays", () => {
  expect(setAt({ a: 1 }, "a", 2)).toEqual({ a: 2 });
  expect(setAt({ a: { b: 1 } }, "a.b", 2)).toEqual({ a: { b: 2 } });
  expect(setAt({ "x/y": [{ k: 1 }] }, "/x~1y/0/k", 2)).toEqual({ "x/y": [{ k: 2 }] });
  expect(setAt({ a: [1] }, "/a/-", 2)).toEqual({ a: [1, 2] });
  expect(() => setAt({ a: [1] }, "/a/7", 2)).toThrow("not a place");
  expect(() => setAt({}, "", 2)).toThrow("neither");
});

test("a typed value is read as JSON first and as text else", () => {
  expect(readingsOf("5")).toEqual([5, "5"]);
  expect(readingsOf('"5"')).toEqual(["5"]);
  expect(readingsOf("Europe/London")).toEqual(["Europe/London"]);
});

test("a document is checked whole: every wrong member is named, and the id may stand in it", () => {
  const { name, settings } = parseDocument({ accountId: "x", name: "shop", currency: "GBP" });
  expect({ name, settings }).toEqual({ name: "shop", settings: { ...defaultSettings, currency: "GBP" } });
  const wrong = catchFailure(() => parseDocument({ name: "shop", currency: "pounds", limits: { foo: 1 } }));
  expect(wrong.details.map(({ path }) => path)).toEqual(["/currency", "/limits/foo"]);
});

test("a secret that only the service seals is refused with the way to set it", () => {
  const lake = { type: "s3", aws_bucket: "my-bucket", aws_secret_access_key: "secret" };
  const wrong = catchFailure(() => parseDocument({ name: "shop", webhookSecret: "a long secret", storage: { lake } }));
  expect(wrong.details.map(({ path, code }) => [path, code])).toEqual(
    ["/storage/lake/aws_secret_access_key", "/webhookSecret"].map((path) => [path, "not_allowed"]),
  );
  for (const { message } of wrong.details) expect(message).toContain("PUT /v2/account");
});

function catchFailure(work: () => unknown): HeadwaterError {
  try {
    work();
  } catch (error) {
    if (error instanceof HeadwaterError) return error;
  }
  throw new Error("it did not fail as expected");
}
