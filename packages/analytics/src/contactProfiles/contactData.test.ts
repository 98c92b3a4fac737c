import { versionOf } from "@headwater/contracts";
import type { Contact } from "@headwater/records/contacts/model";
import { Members } from "@headwater/records/members/members";
import { expect, test } from "vitest";
import { contactData } from "./entries.ts";

const AT = Date.UTC(2026, 0, 9, 22, 47, 12);
const version = versionOf(AT, { lane: 1, partition: 0, offset: 0, place: 0 });

test("a profile holds times of channels as moments, however they were given", () => {
  const contact: Contact = {
    account: 1,
    number: 1,
    cid: "a".repeat(24),
    createdAt: AT,
    modifiedAt: AT,
    version,
    mergedInto: undefined,
    identifiers: new Map(),
    attributes: new Members(),
    channels: new Map([
      ["email", { subscribed: version, subscribedAt: { value: "2026-03-05", version } }],
      ["sms", { unsubscribed: version }],
    ]),
  };
  expect(contactData(contact, "Europe/Berlin")).toMatchObject({
    channels: {
      email: { subscribeStatus: "subscribed", subscribedAt: "2026-03-04T23:00:00.000Z" },
      sms: { subscribeStatus: "unsubscribed", unsubscribedAt: new Date(AT).toISOString() },
    },
  });
});
