import { defaultSettings, versionOf } from "@headwater/contracts";
import { describe, expect, test } from "vitest";
import { Members } from "../../members/members.ts";
import { viewContact } from "../../views/contactView.ts";
import { readPrimaryKey } from "../findContact.ts";
import type { Contact } from "../model.ts";

const account = { number: 1, id: "65f0c0ffee65f0c0ffee0001", name: "test", settings: defaultSettings };
const CID = "65f0c0ffee65f0c0ffee0009";

describe("a primary key", () => {
  test.each([
    [`cID:${CID}`, { cid: CID, identifiers: [] }],
    [CID.toUpperCase(), { cid: CID, identifiers: [{ name: "email", value: CID }] }],
    ["Ada@Example.com", { identifiers: [{ name: "email", value: "ada@example.com" }] }],
    ["phone:+49 228 12345", { identifiers: [{ name: "phone", value: "+4922812345" }] }],
    ["channels.sms.address:+49 228 12345", { identifiers: [{ name: "phone", value: "+4922812345" }] }],
    ["channels.push.address:Tok:en", { identifiers: [{ name: "channels.push.address", value: "Tok:en" }] }],
    ["urn:isbn:1", { identifiers: [{ name: "email", value: "urn:isbn:1" }] }],
    ["cID:nonsense", { identifiers: [] }],
    ["email: ", { identifiers: [] }],
    ["a\0b", { identifiers: [] }],
  ])("%j is tried as %o", (text, key) => {
    expect(readPrimaryKey(text, account)).toEqual(key);
  });
});

describe("a contact's channels", () => {
  const at = (ms: number) => versionOf(ms, { lane: 1, partition: 0, offset: 0, place: 0 });
  const contact = (
    channels: Contact["channels"],
    identifiers: readonly (readonly [string, string[]])[] = [],
  ): Contact => ({
    account: 1,
    number: 1,
    cid: CID,
    createdAt: 0,
    modifiedAt: 0,
    version: at(0),
    mergedInto: undefined,
    identifiers: new Map(identifiers),
    attributes: new Members(),
    channels,
  });
  const channelsOf = (created: Contact) => viewContact(created, { settings: defaultSettings }).channels;

  test("are those that were written and those whose address is known as an identifier", () => {
    const identifiers: (readonly [string, string[]])[] = [
      ["email", ["a@b.c"]],
      ["channels.push.address", ["t"]],
    ];
    expect(channelsOf(contact(new Map(), identifiers))).toEqual({
      email: { address: "a@b.c", subscribeStatus: "none" },
      push: { address: "t", subscribeStatus: "none" },
    });
  });

  test("show when they were subscribed: as given, else at the write", () => {
    const input = { value: "2026-01-09", version: at(1) };
    const written = contact(
      new Map([
        ["email", { subscribed: at(1_000), unsubscribed: at(2_000) }],
        ["sms", { forced: at(1_000), subscribedAt: input }],
      ]),
    );
    expect(channelsOf(written)).toEqual({
      email: {
        subscribeStatus: "unsubscribed",
        subscribedAt: "1970-01-01T00:00:01.000Z",
        unsubscribedAt: "1970-01-01T00:00:02.000Z",
      },
      sms: { subscribeStatus: "subscribed", subscribedAt: "2026-01-09T00:00:00.000Z" },
    });
  });

  test("of which nothing is known but the name are not shown", () => {
    expect(channelsOf(contact(new Map([["email", {}]])))).toEqual({});
  });
});
