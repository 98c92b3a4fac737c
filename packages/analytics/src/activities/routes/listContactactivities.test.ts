import { expect, test } from "vitest";
import type { ActivityPage } from "../activityQuery.ts";
import { memberOf } from "../liveContacts.ts";
import { activityRecord, areAll, firstsOf } from "./listContactactivities.ts";

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
  ...{ city: "", country: "", lat: null, lon: null, device: "", machine: 0 },
};

test("members of the contact are found by their paths, attributes and identifiers also by their bare name", () => {
  const paths = [
    "cID",
    "identifiers.email",
    "channels.my.app.address",
    "attributes.first.name",
    "first.name",
    "toString",
  ];
  expect(paths.map((path) => memberOf(contact, path))).toEqual(["c1", "ada@example.com", "token", "Ada", "Ada", "odd"]);
  const full = {
    ...contact,
    identifiers: { ...contact.identifiers, toString: "hidden" },
    attributes: { ...contact.attributes, home: { city: "Bonn", loc: null } },
    lists: ["news", "vip"],
  };
  const more = ["email", "toString", "home.city", "attributes.home.city", "lists"];
  expect(more.map((path) => memberOf(full, path))).toEqual(["ada@example.com", "odd", "Bonn", "Bonn", ["news", "vip"]]);
  for (const path of [
    "lists",
    "lists.vip",
    "cID.x",
    "attributes.constructor",
    "channels.email.address",
    "identifiers.valueOf",
    "nothing",
    "",
  ]) {
    expect(memberOf(contact, path)).toBeUndefined();
  }
});

test("a record shows what there is and nothing else", () => {
  expect(activityRecord(row, { contact: undefined, first: false, hasFields: false })).toEqual({
    id: "r:0:0",
    action: "browse",
    time: "1970-01-01T00:00:00.000Z",
    first: false,
    properties: { a: 1 },
  });
  const sent = { ...row, mcId: "acc:m7:batch:1:1", lat: 50.7, lon: 7.1 };
  const view = { cID: "c1", email: "ada@example.com", fields: { "first.name": "Ada" }, fieldBytes: 20 };
  expect(activityRecord(sent, { contact: view, first: true, hasFields: true })).toMatchObject({
    cID: "c1",
    email: "ada@example.com",
    bmID: "m7",
    geo: { geoLoc: { lat: 50.7, lon: 7.1 } },
    contactFields: { "first.name": "Ada" },
  });
});

test("a machine's open is not the first, and a message has a first of each action and contact", () => {
  const open = (at: number, more: Partial<typeof row> = {}) => ({
    ...row,
    action: "open",
    mcId: "m",
    uid: `u${at}`,
    at,
    ...more,
  });
  const rows = [
    open(1, { machine: 1 }),
    open(2),
    open(3),
    open(4, { mcId: "other" }),
    open(5, { contact: 2 }),
    open(6, { action: "click" }),
  ];
  for (const [direction, ordered] of [
    ["asc", rows],
    ["desc", rows.toReversed()],
  ] as const) {
    expect(rows.map(firstsOf(ordered, direction))).toEqual([false, true, false, true, true, true]);
  }
});

test("only the whole of a contact's activities tells which come first", () => {
  const page: ActivityPage = {
    ...{ account: 1, numbers: [1], range: {}, direction: "desc", after: undefined, skip: 0, rowsMax: 2, bytesMax: 0 },
  };
  expect(areAll([row], page)).toBe(true);
  expect(areAll([row], { ...page, action: "browse", mcID: "m" })).toBe(true);
  const others: readonly ActivityPage[] = [
    { ...page, rowsMax: 1 },
    { ...page, skip: 25 },
    { ...page, after: [0, "browse", 1, "u"] },
    { ...page, message: "7" },
    { ...page, range: { from: 1 } },
    { ...page, range: { to: 1 } },
    { ...page, numbers: undefined },
  ];
  for (const other of others) expect(areAll([row], other)).toBe(false);
});
