import { defaultSettings, type Json, versionOf } from "@headwater/contracts";
import fc from "fast-check";
import { expect, test } from "vitest";
import { fromRow, toDocument } from "../contacts/contactDocument.ts";
import type { Contact } from "../contacts/model.ts";
import { Members } from "../members/members.ts";
import { viewContact, viewRow } from "./contactView.ts";

const by = { settings: defaultSettings };
const version = fc
  .integer({ min: 1, max: 5 })
  .map((ms) => versionOf(ms, { lane: 1, partition: 0, offset: 0, place: 0 }));
const name = fc.constantFrom("email", "phone", "customer_id", "__proto__", "constructor", "color", "1");
const identifierName = fc.oneof(name, fc.constantFrom("channels.push.address", "channels.__proto__.address"));
const value = fc.jsonValue().map((json): Json => JSON.parse(JSON.stringify(json)));
const written = fc.record({ value: fc.oneof(fc.constant("2026-01-09"), fc.constant("a@b.c"), value), version });
const channel = fc.record(
  {
    address: written,
    subscribedAt: written,
    unsubscribedAt: written,
    unsubscribed: version,
    forced: version,
    subscribed: version,
    pending: version,
  },
  { requiredKeys: [] },
);
const of = <Value>(names: fc.Arbitrary<string>, values: fc.Arbitrary<Value>) =>
  fc.uniqueArray(fc.tuple(names, values), { selector: ([entry]) => entry });

const contact = fc
  .record({
    identifiers: of(identifierName, fc.array(fc.string(), { minLength: 1, maxLength: 2 })),
    attributes: of(name, written),
    channels: of(fc.constantFrom("email", "sms", "push", "__proto__"), channel),
  })
  .map(
    (created): Contact => ({
      account: 1,
      number: 1,
      cid: "65f0c0ffee65f0c0ffee0009",
      createdAt: 1,
      modifiedAt: 2,
      version: "f".repeat(32),
      mergedInto: undefined,
      identifiers: new Map(created.identifiers),
      attributes: new Members(created.attributes),
      channels: new Map(created.channels),
    }),
  );

test("a row is shown as the contact that is stored in it, without what deleted definitions took", () => {
  fc.assert(
    fc.property(contact, of(name, version), (built, cleared) => {
      const { account, number, cid, createdAt, modifiedAt } = built;
      const row = {
        account,
        number,
        cid,
        createdAt,
        modifiedAt,
        version: built.version,
        mergedInto: null,
        doc: toDocument(built),
      };
      const clears = new Map(cleared);
      expect(JSON.stringify(viewRow(row, clears, by))).toBe(JSON.stringify(viewContact(fromRow(row, clears), by)));
    }),
    { numRuns: 1_000 },
  );
});
