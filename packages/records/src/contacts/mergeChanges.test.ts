import { type Account, defaultSettings, versionOf } from "@headwater/contracts";
import { describe, expect, test } from "vitest";
import { Members } from "../members/members.ts";
import { mergeChanges } from "./mergeChanges.ts";
import type { Contact } from "./model.ts";

const account: Account = { number: 1, id: "a".repeat(24), name: "test", settings: defaultSettings };
const at = (ms: number) => versionOf(ms, { lane: 1, partition: 0, offset: ms, place: 0 });
const origin = { account, recordId: "m:0:0", version: at(9) };

function contact(number: number, parts: Partial<Contact>): Contact {
  const row = { account: 1, number, cid: String(number), createdAt: number, modifiedAt: 0, version: at(0) };
  const members = { identifiers: new Map(), attributes: new Members(), channels: new Map() };
  return { ...row, mergedInto: undefined, ...members, ...parts };
}

const survivor = () =>
  contact(1, {
    identifiers: new Map([["email", ["a@x"]]]),
    attributes: new Members([
      ["plan", { value: "gold", version: at(1) }],
      ["city", { value: "Rome", version: at(5) }],
    ]),
    channels: new Map([["email", { subscribed: at(1) }]]),
  });
const merged = () =>
  contact(2, {
    identifiers: new Map([["anonymousId", ["x1"]]]),
    attributes: new Members([
      ["plan", { value: "free", version: at(2) }],
      ["city", { value: "Oslo", version: at(3) }],
    ]),
    channels: new Map([["email", { unsubscribed: at(2) }]]),
  });

describe("what a merge changed", () => {
  test("is what the other contact had written later, and how it is known", () => {
    const changes = mergeChanges({ survivor: survivor(), merged: merged(), explicit: undefined }, origin);
    const unsubscribedAt = "1970-01-01T00:00:00.002Z";
    expect(changes.sort((a, b) => (a.path < b.path ? -1 : 1))).toEqual([
      { path: "attributes.plan", from: "gold", to: "free", version: at(2) },
      { path: "channels.email.subscribeStatus", from: "subscribed", to: "unsubscribed", version: at(2) },
      { path: "channels.email.unsubscribedAt", from: null, to: unsubscribedAt, version: at(2) },
      { path: "identifiers.anonymousId", from: null, to: "x1", version: at(9) },
    ]);
  });

  test("of one that was asked for leaves out the attributes of the side that lost", () => {
    const explicit = "destinationContact";
    const changes = mergeChanges({ survivor: survivor(), merged: merged(), explicit }, origin);
    expect(changes.map(({ path }) => path)).not.toContain("attributes.plan");
  });
});
