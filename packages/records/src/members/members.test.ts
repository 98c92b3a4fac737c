import type { Written } from "@headwater/contracts";
import fc from "fast-check";
import { expect, test } from "vitest";
import { fromRow, toDocument } from "../contacts/contactDocument.ts";
import type { Contact } from "../contacts/model.ts";
import { Members } from "./members.ts";

const name = fc.oneof(fc.constantFrom("constructor", "__proto__", "city"), fc.nat(30).map(String));
const version = fc.constantFrom("0", "1", "2").map((digit) => digit.repeat(32));
const value = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null), fc.constant(["a", { b: 1 }]));
const writes = fc.array(fc.tuple(name, fc.record({ value, version })), { maxLength: 60 });

function entriesOf(members: Iterable<readonly [string, Written]>) {
  return [...members].map(([at, member]) => [at, member.value, member.version]);
}

test("members are what a Map of the same writes is, few or many, in the same order", () => {
  fc.assert(
    fc.property(writes, (entries) => {
      const [members, map] = [new Members(entries), new Map<string, Written>(entries)];
      expect(entriesOf(members)).toEqual(entriesOf(map));
      expect(members.size).toBe(map.size);
      expect([...members.keys()]).toEqual([...map.keys()]);
      for (const at of [...map.keys(), "absent"]) expect(members.get(at)?.value).toEqual(map.get(at)?.value);
    }),
  );
});

test("what was read of a member stays as it was when the member is written again", () => {
  const members = new Members([["city", { value: "Rome", version: "0" }]]);
  const before = members.get("city");
  members.set("city", { value: "Oslo", version: "1" });
  expect(before?.value).toBe("Rome");
  expect(members.get("city")?.value).toBe("Oslo");
});

test("a document holds all of a contact's members, and the same contact has the same document", () => {
  fc.assert(
    fc.property(writes, fc.array(fc.string({ minLength: 1 }), { minLength: 1 }), version, (entries, emails, at) => {
      const row = { account: 1, number: 2, cid: "c", createdAt: 3, modifiedAt: 4, version: at };
      const contact: Contact = {
        ...row,
        mergedInto: undefined,
        identifiers: new Map([["email", emails]]),
        attributes: new Members(entries),
        channels: new Map([["email", { address: { value: null, version: at }, subscribed: "3".repeat(32) }]]),
      };
      const doc = toDocument(contact);
      const again = fromRow({ ...row, mergedInto: null, doc });
      expect(entriesOf(again.attributes)).toEqual(entriesOf(contact.attributes));
      expect([again.identifiers, again.channels]).toEqual([contact.identifiers, contact.channels]);
      expect(toDocument(again)).toBe(doc);
    }),
  );
});
