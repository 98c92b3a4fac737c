import { type Account, defaultSettings, versionOf } from "@headwater/contracts";
import { BatchState } from "@headwater/records/unitOfWork/batchState";
import { emptyRows } from "@headwater/records/unitOfWork/loadedRows";
import { expect, test } from "vitest";
import { upsertContact } from "./upsertContact.ts";

const account: Account = { number: 1, id: "a".repeat(24), name: "test", settings: defaultSettings };
const at = (timeMs: number) => versionOf(timeMs, { lane: 1, partition: 0, offset: timeMs, place: 0 });

/** Sends statuses of one contact's email channel. @returns the contact and what its history gets. */
function after(...writes: readonly (readonly [timeMs: number, "subscribed" | "unsubscribed"])[]) {
  const rows = emptyRows();
  rows.owners.set(account.number, { name: "email", value: "a@x" }, null);
  rows.numbers.push(7);
  const state = new BatchState(rows);
  for (const [timeMs, subscribeStatus] of writes) {
    const attributes = { channels: { email: { subscribeStatus } } };
    const rights = { canBeCreated: true, canBeUpdated: true };
    const { changeEvents } = upsertContact.fold(
      state.of(account.number),
      { id: `r${timeMs}:0:0`, receivedAt: 0, contact: { identifiers: { email: "a@x" }, attributes, ...rights } },
      { account, recordId: `r${timeMs}:0:0`, version: at(timeMs) },
    );
    state.collect(account.number, changeEvents);
  }
  return state.changes().contacts.get(7);
}

test("a subscribe that is refused moves nothing that is seen, nor does the history get it", () => {
  const { contact, fields } = after([1_000, "unsubscribed"], [2_000, "subscribed"]) ?? {};
  expect(contact).toMatchObject({ version: at(1_000), modifiedAt: 1_000 });
  expect(fields?.get("channels.email.subscribedAt")).toBeUndefined();
});

test("the time of a subscribe that a late unsubscribe refuses is removed from the history", () => {
  const fields = after([2_000, "subscribed"], [1_000, "unsubscribed"])?.fields;
  expect(fields?.get("channels.email.subscribedAt")).toMatchObject({ value: null, version: at(2_000) });
});

test("an unsubscribe that arrives late is the latest of the history, for it takes the later subscribe away", () => {
  const field = after([2_000, "subscribed"], [1_000, "unsubscribed"])?.fields.get("channels.email.subscribeStatus");
  expect(field).toMatchObject({ value: "unsubscribed", version: at(2_000) });
});
