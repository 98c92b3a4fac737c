import { type Account, defaultSettings, versionOf } from "@headwater/contracts";
import { fromRow } from "@headwater/records/contacts/contactDocument";
import { subscribeStatusOf } from "@headwater/records/contacts/model";
import { MemoryState } from "@headwater/testing";
import { expect, test } from "vitest";
import type { Body } from "./schema.ts";
import { upsertContact } from "./upsertContact.ts";

const account: Account = {
  ...{ number: 1, id: "a".repeat(24), name: "test", settings: defaultSettings },
  attributes: new Map([["home", { type: "geo" }]]),
};
const create = { canBeCreated: true, canBeUpdated: true } as const;
const [first] = [{ identifiers: { email: "a@x.example" } }];

/** Sends bodies one after the other. @returns the last outcome and what the contact has then. */
function after(...bodies: Body[]) {
  const state = new MemoryState();
  const outcomes = bodies.map((body, index) => {
    const version = versionOf(1_000_000 + index, { lane: 1, partition: 0, offset: index, place: 0 });
    const record = { id: `r${index}:0:0`, receivedAt: 0, contact: { ...create, ...body } };
    return state.apply(account, [{ operation: upsertContact, record, version }])[0];
  });
  const [row] = [...state.contacts.values()];
  if (row === undefined) throw new Error("nobody was made");
  return { outcome: outcomes.at(-1), contact: fromRow(row), owners: state.owners };
}

const skipped = { kind: "skipped", code: "ATTRIBUTES_RESTRICTED" };

test("a subscribe status that is set is not changed, one that is not set is", () => {
  const restricted = { restrictedUpdateAttrKeys: ["channels.email.subscribeStatus"] };
  const status = (subscribeStatus: "subscribed" | "unsubscribed") => ({
    ...first,
    attributes: { channels: { email: { subscribeStatus } } },
  });
  const changed = after(status("subscribed"), { ...status("unsubscribed"), ...restricted });
  expect(changed.outcome).toMatchObject(skipped);
  expect(subscribeStatusOf(changed.contact.channels.get("email") ?? {})).toBe("subscribed");
  const set = after({ ...first, attributes: { plan: "a" } }, { ...status("subscribed"), ...restricted });
  expect(set.outcome).toMatchObject({ kind: "applied" });
  expect(subscribeStatusOf(set.contact.channels.get("email") ?? {})).toBe("subscribed");
});

test.each([
  ["an attribute", { email: "b@x.example" }, "email"],
  ["a channel's address", { channels: { email: { address: "b@x.example" } } }, "channels.email.address"],
])("an identifier that is shown in the place of %s is a value", (_, attributes, key) => {
  const { outcome, owners } = after(first, { ...first, attributes, restrictedUpdateAttrKeys: [key] });
  expect(outcome).toMatchObject(skipped);
  expect([...owners.keys()]).toEqual(["1\nemail\na@x.example"]);
});

const located = (lat: number, lon: number) => ({ ...first, attributes: { home: { city: "Rome", loc: { lat, lon } } } });

test("parts of a place's location are written into the one that is there, or together", () => {
  const pathAfter = (...bodies: Body[]) => after(...bodies).contact.attributes.get("home")?.value;
  const edit = (attributes: Record<string, unknown>) => ({ ...first, attributes });
  expect(pathAfter(edit({ "home.loc.lat": 4, "home.loc.lon": 5 }))).toEqual({ loc: { lat: 4, lon: 5 } });
  expect(pathAfter(located(1, 2), edit({ "home.loc.lon": 5 }))).toEqual({ city: "Rome", loc: { lat: 1, lon: 5 } });
  const removed = edit({ "home.loc.lat": null, "home.loc.lon": null });
  expect(pathAfter(located(1, 2), removed)).toEqual({ city: "Rome" });
});

test("half of a place's location is refused where the other half is not there", () => {
  const half = { ...first, attributes: { "home.loc.lat": 4 } };
  const rejected = { kind: "rejected", code: "ATTRIBUTE_TYPE_MISMATCH", path: "/attributes/home.loc.lat" };
  expect(after({ ...first, attributes: { home: { city: "Rome" } } }, half).outcome).toMatchObject(rejected);
  const removed = { ...first, attributes: { "home.loc.lat": null } };
  expect(after(located(1, 2), removed).outcome).toMatchObject(rejected);
  expect(after(located(1, 2), { ...half, canBeUpdated: false }).outcome).toMatchObject({ code: "UPDATE_NOT_ALLOWED" });
});

test("a part of a place's location that is set is kept, by its own name and by that of the location", () => {
  for (const key of ["home.loc", "home.loc.lat"]) {
    const edit = { ...first, attributes: { "home.loc.lat": 4 }, restrictedUpdateAttrKeys: [key] };
    expect(after(located(1, 2), edit).outcome).toMatchObject(skipped);
  }
});

test("of a place, members that are set are kept, others are written", () => {
  const restricted = { restrictedUpdateAttrKeys: ["home.city", "home.country"] };
  const edit = { ...first, attributes: { "home.city": "Bonn", "home.country": "DE" }, ...restricted };
  const { outcome, contact } = after({ ...first, attributes: { home: { city: "Rome" } } }, edit);
  expect(outcome).toMatchObject({ kind: "applied" });
  expect(contact.attributes.get("home")?.value).toMatchObject({ city: "Rome", country: "DE" });
});
