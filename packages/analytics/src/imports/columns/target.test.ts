import { type Account, defaultSettings } from "@headwater/contracts";
import { expect, test } from "vitest";
import { targetOf } from "./target.ts";

const account: Account = { number: 1, id: "a".repeat(24), name: "test", settings: defaultSettings };
const known = { account, lists: new Set(["vip"]), attributes: new Set(["first_name"]) };

test.each([
  ["cID", { kind: "identifier", name: "cID" }],
  ["identifiers.email", { kind: "identifier", name: "email" }],
  ["identifiers.customer_id", { kind: "identifier", name: "customer_id" }],
  ["channels.email.subscribedAt", { kind: "channel", channel: "email", member: "subscribedAt" }],
  ["channels.Email.subscribeStatus", { kind: "channel", channel: "email", member: "subscribeStatus" }],
  ["channels.WhatsApp.address", { kind: "channel", channel: "WhatsApp", member: "address" }],
  ["attributes.first_name", { kind: "attribute", name: "first_name" }],
  ["lists.vip", { kind: "list", name: "vip" }],
  ["VIP", { kind: "list", name: "VIP" }],
  ["color", { kind: "attribute", name: "color" }],
  ["identifiers.cID", { kind: "identifier", name: "cID" }],
  ["identifiers.color", { kind: "identifier", name: "color" }],
  ["identifiers.channels.sms.address", { kind: "identifier", name: "phone" }],
  ["identifiers.", { kind: "attribute", name: "identifiers." }],
])("the column %s is read as what it says", (column, target) => {
  expect(targetOf(column, known)).toEqual(target);
});

test.each(["createdAt", "lastModified", "lists", "listJoinDate.vip", "channels.email.valid"])(
  "the column %s of an export is left out",
  (column) => {
    expect(targetOf(column, known)).toEqual({ kind: "ignored" });
  },
);
