import { readFileSync } from "node:fs";
import { providerEvents } from "@headwater/contracts";
import { expect, test } from "vitest";
import { parsePosted } from "../tracker/provider/postedBody.ts";
import { checkExpressions, createEventReader } from "./readProviderEvents.ts";

const mcID = "65f0c0ffee65f0c0ffee0000:65f0c0ffee65f0c0ffee0001:b:65f0c0ffee65f0c0ffee0002:1";
const EVENTS_MAX = 100;

/** Reads what a provider posts by its recipe in the documents. */
function read(provider: string, body: unknown) {
  const text = readFileSync(new URL(`../../../../docs/providers/${provider}.json`, import.meta.url), "utf8");
  const recipe = providerEvents.parse(JSON.parse(text));
  const { list, map } = recipe;
  const expressions = Object.entries({ list, ...map }).flatMap(([path, input]) =>
    input === undefined ? [] : { path, text: input },
  );
  expect(checkExpressions(expressions)).toEqual([]);
  const posted = parsePosted(Buffer.from(JSON.stringify(body)), "application/json");
  if (posted === undefined) throw new Error("the sample is JSON");
  return createEventReader(recipe)(posted, EVENTS_MAX)?.map(({ raw: _, ...event }) => event);
}

// Bodies follow the samples that the providers document, with our id of the send where they pass on what a sender gave them.
test("events of SendGrid", () => {
  const event = (name: string, more: object = {}) => ({
    ...{ email: "example@example.com", timestamp: 1513299569, "smtp-id": "<14c5d75ce93.dfd.64b469@ismtpd-555>" },
    ...{
      event: name,
      category: ["cat facts"],
      sg_event_id: `id-${name}`,
      sg_message_id: "14c5d75ce93.0",
      mcID,
      ...more,
    },
  });
  const ip = { useragent: "Mozilla/4.0", ip: "255.255.255.255" };
  const events = read("sendgrid", [
    event("processed"),
    event("deferred", { response: "400 try again later", attempt: "5" }),
    event("delivered", { response: "250 OK" }),
    event("open", { ...ip, sg_machine_open: false }),
    event("open", { ...ip, sg_machine_open: true }),
    event("click", { ...ip, url: "http://www.sendgrid.com/" }),
    event("bounce", { reason: "500 unknown recipient", status: "5.0.0", type: "bounce" }),
    event("bounce", { reason: "550 blocked by policy", status: "5.7.1", type: "blocked" }),
    event("dropped", { reason: "Bounced Address", status: "5.0.0" }),
    event("spamreport"),
    event("unsubscribe"),
    event("group_unsubscribe", { ...ip, asm_group_id: 10 }),
    event("group_resubscribe", { ...ip, asm_group_id: 10 }),
  ]);
  const shared = { mcID, at: "1513299569" };
  expect(events).toMatchObject([
    { ...shared, type: "open", id: "id-open" },
    { ...shared, type: "click", url: "http://www.sendgrid.com/" },
    { ...shared, type: "hard-bounce", code: "5.0.0", text: "500 unknown recipient" },
    { ...shared, type: "soft-bounce", code: "5.7.1" },
    { ...shared, type: "complaint" },
    { ...shared, type: "optout" },
    { ...shared, type: "optout" },
  ]);
  expect(events).toHaveLength(7);
});

test("events of Mailgun", () => {
  const signature = {
    timestamp: "1529006854",
    token: "a8ce0edb2dd8301dee6c2405235584e4531f0b49deccdf79",
    signature: "d2f2",
  };
  const event = (name: string, more: object = {}) => ({
    signature,
    "event-data": {
      ...{ event: name, timestamp: 1521233195.375624, id: "G9Bn5sl1TC6nu79C8C0bwg", recipient: "alice@example.com" },
      ...{ "user-variables": { mcID }, ...more },
    },
  });
  const failure = {
    reason: "suppress-bounce",
    "delivery-status": { "attempt-no": 1, code: 605, description: "Not delivering to previously bounced address" },
  };
  const one = (name: string, more?: object) => read("mailgun", event(name, more));
  expect(one("accepted")).toEqual([]);
  expect(one("delivered")).toEqual([]);
  expect(one("opened")).toMatchObject([{ type: "open", mcID, at: "1521233195.375624", id: "G9Bn5sl1TC6nu79C8C0bwg" }]);
  expect(one("clicked", { url: "http://mailgun.com" })).toMatchObject([{ type: "click", url: "http://mailgun.com" }]);
  expect(one("failed", { severity: "permanent", ...failure })).toMatchObject([
    { type: "hard-bounce", code: "605", reason: "suppress-bounce", text: failure["delivery-status"].description },
  ]);
  expect(one("failed", { severity: "temporary", reason: "generic" })).toMatchObject([{ type: "soft-bounce" }]);
  expect(one("complained")).toMatchObject([{ type: "complaint", mcID }]);
  expect(one("unsubscribed")).toMatchObject([{ type: "optout", mcID }]);
});

test("receipts and messages of Vonage", () => {
  const receipt = (status: string, code: string) => ({
    ...{ msisdn: "447700900000", to: "AcmeInc", "network-code": "12345", messageId: "0A0000001234567B" },
    ...{ price: "0.03330000", status, scts: "2001011400", "err-code": code, "api-key": "abcd1234" },
    ...{ "client-ref": mcID, "message-timestamp": "2020-01-01T12:00:00.000+00:00" },
  });
  const shared = { mcID, id: "0A0000001234567B", at: "2020-01-01T12:00:00.000+00:00" };
  expect(read("vonage", receipt("delivered", "0"))).toEqual([]);
  expect(read("vonage", receipt("buffered", "0"))).toEqual([]);
  expect(read("vonage", receipt("failed", "2"))).toMatchObject([{ ...shared, type: "soft-bounce", code: "2" }]);
  expect(read("vonage", receipt("failed", "3"))).toMatchObject([{ ...shared, type: "hard-bounce", code: "3" }]);
  expect(read("vonage", receipt("rejected", "9"))).toMatchObject([{ ...shared, type: "hard-bounce", code: "9" }]);
  const inbound = {
    ...{ "api-key": "abcd1234", msisdn: "447700900001", to: "447700900000", messageId: "0A0000000123ABCD1" },
    ...{ text: "STOP", type: "text", keyword: "STOP", "message-timestamp": "2020-01-01T12:00:00.000+00:00" },
  };
  expect(read("vonage", inbound)).toMatchObject([{ type: "incoming", from: "447700900001", text: "STOP" }]);
});

test("reports and messages of Sinch", () => {
  const report = (status: string, code: number) => ({
    ...{
      type: "recipient_delivery_report_sms",
      at: "2022-08-30T08:16:08.930Z",
      batch_id: "01FC66621XXXXX119Z8PMV1QPQ",
    },
    ...{ client_reference: mcID, code, recipient: "+44231235674", status },
  });
  const shared = { mcID, at: "2022-08-30T08:16:08.930Z" };
  expect(read("sinch", report("Dispatched", 401))).toEqual([]);
  expect(read("sinch", report("Delivered", 0))).toEqual([]);
  expect(read("sinch", report("Failed", 404))).toMatchObject([{ ...shared, type: "soft-bounce", code: "404" }]);
  expect(read("sinch", report("Deleted", 402))).toMatchObject([{ ...shared, type: "hard-bounce" }]);
  const inbound = {
    ...{ type: "mo_text", id: "01XXXXX21XXXXX119Z8P1XXXXX", from: "16051234567", to: "18008888888", body: "STOP" },
    ...{ operator_id: "string", send_at: "2022-08-24T14:15:22Z", received_at: "2022-08-24T14:15:22Z" },
  };
  expect(read("sinch", inbound)).toMatchObject([
    {
      type: "incoming",
      from: "16051234567",
      text: "STOP",
      id: "01XXXXX21XXXXX119Z8P1XXXXX",
      at: "2022-08-24T14:15:22Z",
    },
  ]);
});
