import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { contactIdOf, hashApiKey, newAccountId, newApiKey, newRequestId, supplementRecordIdOf } from "./ids.ts";

const MANY = 20_000;

test("request ids are short, url-safe and never the same", () => {
  const ids = new Set(Array.from({ length: MANY }, () => newRequestId(1_700_000_000_000)));
  expect(ids.size).toBe(MANY);
  for (const id of ids) {
    expect(id).toMatch(/^[0-9A-Za-z]{20}$/);
  }
});

test("request ids sort as text in the order of their milliseconds", () => {
  const time = fc.integer({ min: 0, max: 62 ** 7 - 1 });
  fc.assert(
    fc.property(time, time, (one, other) => {
      fc.pre(one !== other);
      expect(newRequestId(one) < newRequestId(other)).toBe(one < other);
    }),
  );
});

test("every character of base62 is drawn about equally often", () => {
  const counts = new Map<string, number>();
  for (const char of Array.from({ length: 5_000 }, () => newApiKey().slice(3)).join("")) {
    counts.set(char, (counts.get(char) ?? 0) + 1);
  }
  const expected = (5_000 * 40) / 62;
  expect(counts.size).toBe(62);
  // Eight standard deviations: a fair draw fails this less than once in a billion runs.
  expect(Math.max(...counts.values())).toBeLessThan(expected + 8 * Math.sqrt(expected));
  expect(Math.min(...counts.values())).toBeGreaterThan(expected - 8 * Math.sqrt(expected));
});

test("account ids are 24 hex and API keys are hw_ and 40 base62", () => {
  const accounts = new Set(Array.from({ length: MANY }, newAccountId));
  expect(accounts.size).toBe(MANY);
  expect([...accounts].every((id) => /^[0-9a-f]{24}$/.test(id))).toBe(true);
  expect(newApiKey()).toMatch(/^hw_[0-9A-Za-z]{40}$/);
});

test("a key is stored as its sha256", () => {
  expect(hashApiKey("hw_abc")).toBe(createHash("sha256").update("hw_abc").digest("hex"));
});

test("a contact's id is a function of account and record alone", () => {
  const digest = createHash("sha256").update("account\nrecord").digest("hex");
  expect(contactIdOf("account", "record")).toBe(digest.slice(0, 24));
  expect(contactIdOf("account", "other")).not.toBe(contactIdOf("account", "record"));
});

test("the id of a supplement record is 24 hex of its account and record, and never a contact's", () => {
  const created = supplementRecordIdOf("account", "record");
  expect(created).toMatch(/^[0-9a-f]{24}$/);
  expect(supplementRecordIdOf("account", "record")).toBe(created);
  expect(new Set([created, supplementRecordIdOf("account", "other"), contactIdOf("account", "record")]).size).toBe(3);
});
