import { expect, test } from "vitest";
import { API_KEY_MEMBERS, apiKeyRecord, apiKeyShape } from "../apiKeyView.ts";
import { query } from "./schema.ts";

const made = {
  id: "k1",
  account: 1,
  prefix: "hw_abcde",
  name: "n",
  scopes: ["read"],
  allowIps: null,
  rotates: null,
  expiresAt: null,
  revokedAt: null,
  createdAt: new Date(0),
  lastUsedAt: null,
};

test("what a key does not have is left out, and nothing of its secret is shown but its beginning", () => {
  const ct = "1970-01-01T00:00:00.000Z";
  expect(apiKeyRecord(made)).toEqual({ id: "k1", name: "n", prefix: "hw_abcde", scopes: ["read"], ct });
  const full = { ...made, allowIps: ["10.0.0.0/8"], rotates: "k0", expiresAt: new Date(1), lastUsedAt: new Date(2) };
  const record = apiKeyRecord(full);
  expect(Object.keys(record)).toEqual([...API_KEY_MEMBERS]);
  expect(apiKeyShape.safeParse(record).success).toBe(true);
});

test("keys are sorted by the time of their making alone", () => {
  expect(query.safeParse({ sort_by: "ct", sort_dir: "desc" }).success).toBe(true);
  expect(query.safeParse({ sort_by: "name" }).success).toBe(false);
});
