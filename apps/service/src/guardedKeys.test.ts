import type { KeyCache } from "@headwater/http";
import { expect, test } from "vitest";
import { guardKeys } from "./guardedKeys.ts";

function recordingKeys() {
  const asked: (readonly [string, string | undefined])[] = [];
  const keys: KeyCache = {
    find(key, address) {
      asked.push([key, address]);
      return undefined;
    },
    changed: () => undefined,
    usedSince: () => [],
  };
  return { asked, keys };
}

test("a look-up names the client's address, so that one client's unknown keys hold up nobody else's", () => {
  const { asked, keys } = recordingKeys();
  guardKeys(keys, { refusal: () => undefined }).find("key", "203.0.113.7");
  expect(asked).toEqual([["key", "203.0.113.7"]]);
});

test("no key is looked up while the guard refuses, and the look-up rejects: calls with a body wait for it", async () => {
  const { asked, keys } = recordingKeys();
  const refusal = new Error("Postgres has lost data");
  const found = guardKeys(keys, { refusal: () => refusal }).find("key", "203.0.113.7");
  expect(found).toBeInstanceOf(Promise);
  await expect(found).rejects.toBe(refusal);
  expect(asked).toEqual([]);
});
