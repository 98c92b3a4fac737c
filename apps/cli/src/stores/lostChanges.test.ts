import { lanes, versionOf } from "@headwater/contracts";
import { expect, test } from "vitest";
import { collectLost } from "./lostChanges.ts";

const ofLog = versionOf(1_000, { lane: 1, partition: 0, offset: 7, place: 0 });
const ofV2 = versionOf(2_000, { lane: lanes.v2, partition: 1, offset: 9, place: 0 });
const message = (topic: string, ...changes: object[]) => ({
  topic,
  value: Buffer.from(JSON.stringify({ position: 1, changes })),
});

test("everything that lost events were about is found once, whatever order they come in", () => {
  const contact = {
    account: 1,
    contact: 5,
    cid: "c5",
    version: ofLog,
    aliases: [6],
    fields: [["attributes.a", 1, ofV2]],
  };
  const member = { account: 1, list: 2, contact: 5, version: ofLog, present: true };
  const order = { account: 1, orderId: "o1", contact: 5, version: ofLog };
  const cart = { account: 1, contact: 5, version: ofLog, cart: {} };
  const record = { account: 1, supplement: 3, id: "r", contact: null, version: ofLog };
  const messages = [
    message("changes.contacts", contact),
    message("changes.memberships", member, member),
    message("changes.orders", order),
    message("changes.carts", cart),
    message("changes.supplements", record),
    message("deadletters", { account: 1, recordId: "x" }),
  ];
  const { lost, writes } = collectLost(messages);
  expect(lost).toEqual({
    contacts: [
      { account: 1, number: 5 },
      { account: 1, number: 6 },
    ],
    contactVersions: [
      { account: 1, contact: 5, version: ofLog },
      { account: 1, contact: 5, version: ofV2 },
    ],
    memberships: [{ account: 1, version: ofLog, list: 2, contact: 5 }],
    orders: [{ account: 1, version: ofLog, orderId: "o1" }],
    carts: [{ account: 1, version: ofLog, contact: 5 }],
    records: [{ account: 1, version: ofLog, supplement: 3, id: "r" }],
  });
  expect(writes).toEqual([]);
  expect(collectLost(messages.toReversed())).toEqual({ lost, writes });
});

test("writes of /v2 and erasures are named: no log holds them", () => {
  const written = { account: 1, contact: 5, cid: "c5", version: ofV2, fields: [] };
  const { writes } = collectLost([message("changes.contacts", written, { ...written, cid: "c6", erased: true })]);
  expect(writes).toEqual([
    { account: 1, topic: "changes.contacts", key: "c5", at: "1970-01-01T00:00:02.000Z", isErasure: false },
    { account: 1, topic: "changes.contacts", key: "c6", at: "1970-01-01T00:00:02.000Z", isErasure: true },
  ]);
});
