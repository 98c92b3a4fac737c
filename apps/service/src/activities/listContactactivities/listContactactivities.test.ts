import { expect, test } from "vitest";
import { memberOf } from "./contacts.ts";
import { activityRecord } from "./record.ts";

const contact = {
  cID: "c1",
  identifiers: { email: "ada@example.com" },
  channels: { "my.app": { address: "token", subscribeStatus: "none" } },
  attributes: { "first.name": "Ada", toString: "odd" },
  createdAt: "2026-01-09T22:47:12.000Z",
  lastModified: "2026-01-09T22:47:12.000Z",
};
const row = {
  ...{ contact: 1, action: "browse", at: 0, uid: "u", record: "r:0:0", mcId: "", properties: '{"a":1}' },
  ...{ city: "", country: "", lat: null, lon: null, device: "" },
};

test("members of the contact are found by their paths, attributes also by their bare key", () => {
  const paths = [
    "cID",
    "identifiers.email",
    "channels.my.app.address",
    "attributes.first.name",
    "first.name",
    "toString",
  ];
  expect(paths.map((path) => memberOf(contact, path))).toEqual(["c1", "ada@example.com", "token", "Ada", "Ada", "odd"]);
  for (const path of ["attributes.constructor", "channels.email.address", "identifiers.valueOf", "nothing", ""]) {
    expect(memberOf(contact, path)).toBeUndefined();
  }
});

test("a record shows what there is and nothing else", () => {
  expect(activityRecord(row, { contact: undefined, first: false, contactFields: [] })).toEqual({
    id: "r:0:0",
    action: "browse",
    time: "1970-01-01T00:00:00.000Z",
    first: false,
    properties: { a: 1 },
  });
  const sent = { ...row, mcId: "acc:m7:batch:1:1", lat: 50.7, lon: 7.1 };
  expect(activityRecord(sent, { contact, first: true, contactFields: ["first.name", "none"] })).toMatchObject({
    cID: "c1",
    email: "ada@example.com",
    bmID: "m7",
    geo: { geoLoc: { lat: 50.7, lon: 7.1 } },
    contactFields: { "first.name": "Ada" },
  });
});
