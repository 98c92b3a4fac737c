import { defaultSettings } from "@headwater/contracts";
import { expect, test } from "vitest";
import { createAllowedAddress } from "../server/httpServer.ts";
import type { Caller } from "./caller.ts";

const account = { number: 1, id: "a".repeat(24), name: "test", settings: defaultSettings };
const keyOf = (more: Partial<Caller>): Caller => ({ kind: "key", id: "k", name: "k", account, scopes: [], ...more });

test("a key without a list may be used from everywhere, one with a list from its addresses alone", () => {
  const isAllowedFrom = createAllowedAddress();
  expect(isAllowedFrom(keyOf({}), undefined)).toBe(true);
  const listed = keyOf({ allowIps: ["203.0.113.0/24", "2001:db8::7"] });
  expect(["203.0.113.9", "::ffff:203.0.113.9", "2001:db8::7"].map((from) => isAllowedFrom(listed, from))).toEqual([
    true,
    true,
    true,
  ]);
  expect(["203.0.114.9", "2001:db8::8", undefined].map((from) => isAllowedFrom(listed, from))).toEqual([
    false,
    false,
    false,
  ]);
});

test("a list that was emptied lets nobody in", () => {
  expect(createAllowedAddress()(keyOf({ allowIps: [] }), "127.0.0.1")).toBe(false);
});
