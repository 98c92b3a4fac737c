import { type Account, defaultSettings, versionOf } from "@headwater/contracts";
import { BatchState, emptyRows } from "@headwater/projection";
import { expect, test } from "vitest";
import { upsertContact } from "./index.ts";

const account: Account = { number: 1, id: "a".repeat(24), name: "test", settings: defaultSettings };
const at = (timeMs: number) => versionOf(timeMs, { lane: 1, partition: 0, offset: timeMs, place: 0 });

test("an unsubscribe that arrives late is the latest of the history, for it takes the later subscribe away", () => {
  const rows = emptyRows();
  rows.owners.set(account.number, { name: "email", value: "a@x" }, null);
  rows.numbers.push(7);
  const state = new BatchState(rows);
  const send = (timeMs: number, subscribeStatus: "subscribed" | "unsubscribed") => {
    const { changeEvents } = upsertContact.fold(
      state.of(account.number),
      {
        id: `r${timeMs}:0:0`,
        receivedAt: 0,
        contact: {
          identifiers: { email: "a@x" },
          attributes: { channels: { email: { subscribeStatus } } },
          canBeCreated: true,
          canBeUpdated: true,
        },
      },
      { account, recordId: `r${timeMs}:0:0`, version: at(timeMs) },
    );
    state.collect(account.number, changeEvents);
  };
  send(2_000, "subscribed");
  send(1_000, "unsubscribed");
  const field = state.changes().contacts.get(7)?.fields.get("channels.email.subscribeStatus");
  expect(field).toMatchObject({ value: "unsubscribed", version: at(2_000) });
});
