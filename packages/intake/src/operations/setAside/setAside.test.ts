import { type Account, defaultSettings, ZERO_VERSION } from "@headwater/contracts";
import { MemoryState } from "@headwater/testing";
import { expect, test } from "vitest";
import { setAside } from "./setAside.ts";

const account: Account = { number: 1, id: "a".repeat(24), name: "test", settings: defaultSettings };
const refused = {
  id: "r:0:0",
  receivedAt: 0,
  push: "cohortsync/addContactsToList",
  code: "VALIDATION_ERROR" as const,
  path: "/contacts/3",
  message: "No identifier of a contact was given.",
  part: { nothing: true },
};

test("a part that validation refused has its verdict as its outcome, and touches no state", () => {
  const state = new MemoryState();
  const outcomes = ["rejected", "skipped"].flatMap((verdict) => {
    const record = { ...refused, verdict };
    return state.apply(account, [{ operation: setAside, record, version: ZERO_VERSION }]);
  });
  expect(outcomes).toMatchObject([
    {
      kind: "rejected",
      code: "VALIDATION_ERROR",
      path: "/contacts/3",
      message: "No identifier of a contact was given.",
    },
    { kind: "skipped", code: "NOT_MAPPED" },
  ]);
  expect([state.contacts.size, state.orders.size, state.memberships.size]).toEqual([0, 0, 0]);
});
