import { type Account, defaultSettings, versionOf } from "@headwater/contracts";
import { MemoryState } from "@headwater/testing";
import { expect, test } from "vitest";
import { upsertContact } from "./upsertContact.ts";

const settings = { ...defaultSettings, timezone: "Europe/Berlin" };
const account: Account = { number: 1, id: "a".repeat(24), name: "times", settings };

test("a timestamp of a channel in another spelling changes nothing", () => {
  const state = new MemoryState();
  const input = ["2026-01-01", "2025-12-31T23:00:00Z", "2026-01-01T00:00:00.000+01:00", "2026-01-01T00:00:00Z"];
  const outcomes = input.flatMap((subscribedAt, offset) => {
    const attributes = { channels: { email: { subscribedAt } } };
    const contact = { identifiers: { email: "a@x.org" }, attributes, canBeCreated: true, canBeUpdated: true };
    const version = versionOf(1_000 + offset, { lane: 1, partition: 0, offset, place: 0 });
    const record = { id: `r${offset}:0:0`, receivedAt: 0, contact };
    return state.apply(account, [{ operation: upsertContact, version, record }]);
  });
  expect(outcomes.map((one) => (one.kind === "skipped" ? one.code : one.kind))).toEqual([
    "applied",
    "UNCHANGED",
    "UNCHANGED",
    "applied",
  ]);
});
