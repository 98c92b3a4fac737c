import { type Account, defaultSettings, versionOf } from "@headwater/contracts";
import type { SubscribeStatus } from "@headwater/records/contacts/model";
import { BatchState } from "@headwater/records/unitOfWork/batchState";
import { emptyRows } from "@headwater/records/unitOfWork/loadedRows";
import { expect, test } from "vitest";
import { upsertContact } from "./upsertContact.ts";

const account: Account = { number: 1, id: "a".repeat(24), name: "test", settings: defaultSettings };
const at = (timeMs: number) => versionOf(timeMs, { lane: 1, partition: 0, offset: timeMs, place: 0 });
const optIn = (channel: string, subscribeStatus: SubscribeStatus) => ({
  identifiers: { email: "a@x" },
  attributes: { channels: { [channel]: { subscribeStatus } } },
});

/** Statuses of sms as they come, by time; one that is forced ends in "!". @returns the field that the change records show. */
function folded(writes: readonly (readonly [timeMs: number, status: SubscribeStatus, isForced?: boolean])[]) {
  const rows = emptyRows();
  rows.owners.set(account.number, { name: "email", value: "a@x" }, null);
  rows.numbers.push(7);
  const state = new BatchState(rows);
  for (const [timeMs, status, forceSubscribe = false] of writes) {
    const recordId = `r${timeMs}:0:0`;
    const contact = { ...optIn("sms", status), forceSubscribe, canBeCreated: true, canBeUpdated: true };
    const origin = { account, recordId, version: at(timeMs) };
    const record = { id: recordId, receivedAt: 0, contact };
    state.collect(account.number, upsertContact.fold(state.of(account.number), record, origin).changeEvents);
  }
  return state.changes().contacts.get(7)?.fields.get("channels.sms.subscribeStatus");
}

test.each([
  [
    "none to pending",
    [
      [1, "none"],
      [2, "pending"],
    ],
    "pending",
  ],
  [
    "pending to subscribed",
    [
      [1, "pending"],
      [2, "subscribed"],
    ],
    "subscribed",
  ],
  [
    "pending to unsubscribed",
    [
      [1, "pending"],
      [2, "unsubscribed"],
    ],
    "unsubscribed",
  ],
  [
    "pending, never to none",
    [
      [1, "pending"],
      [2, "none"],
    ],
    "pending",
  ],
  [
    "subscribed, never to pending",
    [
      [1, "subscribed"],
      [2, "pending"],
    ],
    "subscribed",
  ],
  [
    "unsubscribed, never to pending",
    [
      [1, "unsubscribed"],
      [2, "pending"],
    ],
    "unsubscribed",
  ],
  [
    "unsubscribed and pending, to subscribed when it is forced",
    [
      [1, "unsubscribed"],
      [2, "pending"],
      [3, "subscribed", true],
    ],
    "subscribed",
  ],
] as const)("an opt-in goes from %s", (_what, writes, value) => {
  expect(folded(writes)).toMatchObject({ value, version: expect.any(String) });
});

test("a subscribe that arrives late is the latest of the history, for it takes the later opt-in away", () => {
  expect(
    folded([
      [2_000, "pending"],
      [1_000, "subscribed"],
    ]),
  ).toMatchObject({ value: "subscribed", version: at(2_000) });
});

test("validation takes pending for sms alone", () => {
  const codes = (channel: string) => {
    const read = upsertContact.body.safeParse({ ...optIn(channel, "pending"), canBeCreated: true });
    return read.success ? [] : read.error.issues.map(({ path }) => path.join("/"));
  };
  expect(codes("sms")).toEqual([]);
  expect(codes("email")).toEqual(["attributes/channels/email/subscribeStatus"]);
});
