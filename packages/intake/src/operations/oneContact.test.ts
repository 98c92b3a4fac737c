import { type Account, defaultSettings, lanes, versionOf } from "@headwater/contracts";
import { fromRow } from "@headwater/records/contacts/contactDocument";
import { MemoryState, type VersionedRecord } from "@headwater/testing";
import { describe, expect, test } from "vitest";
import { createContactactivities } from "./createContactactivities/createContactactivities.ts";
import { upsertContact } from "./upsertContact/upsertContact.ts";

const attributes: Account["attributes"] = new Map([["n", { type: "number" }]]);
const account: Account = { number: 1, id: "a".repeat(24), name: "test", settings: defaultSettings, attributes };
const rights = { canBeCreated: true, canBeUpdated: true } as const;
const event = { name: "browse", time: "2026-01-01" };

const located = (
  operation: VersionedRecord["operation"],
  offset: number,
  path: number,
  record: object,
): VersionedRecord => ({
  operation,
  record: { id: `r${offset}:${path}:0`, receivedAt: 0, ...record },
  version: versionOf(1_000 + offset, { lane: lanes["intake.records"], partition: 0, offset, place: path }),
});

/** Records of one item, in one frame behind others. */
function itemOf(
  contact: object,
  events: readonly object[],
  { offset = 2, place: position = 3 } = {},
): VersionedRecord[] {
  const identifiers = "identifiers" in contact ? contact.identifiers : {};
  return events.map((one, element) => {
    const members = { id: `r${offset}:7:${element}`, contact: element === 0 ? contact : { identifiers }, event: one };
    return located(createContactactivities, offset, position + element, members);
  });
}

const upsert = (contact: object, offset: number, place = 0) =>
  located(upsertContact, offset, place, { contact: { ...rights, ...contact } });

describe("all activities of one item belong to one contact", () => {
  const optout = { ...event, name: "optout" };
  const found = (outcome: object | undefined) => (outcome && "contact" in outcome ? outcome.contact : outcome);

  test.each([
    ["by the one identifier", { email: "old@x.org" }, { email: "new@x.org" }],
    [
      "by an address that its channel replaces",
      { email: "old@x.org" },
      { channels: { email: { address: "new@x.org" } } },
    ],
    ["by several identifiers", { customer_id: "1", email: "old@x.org" }, { customer_id: "2", email: "new@x.org" }],
  ])("an item names it %s, which its attributes replace", (_how, identifiers, attributes) => {
    for (const isThere of [true, false]) {
      const state = new MemoryState();
      const [created] = isThere ? state.apply(account, [upsert({ identifiers, attributes: { a: 1 } }, 1)]) : [];
      const records = itemOf({ identifiers, attributes, ...rights }, [event, event, optout]);
      const outcomes = records.flatMap((record) => state.apply(account, [record]));
      expect(outcomes.map(({ kind }) => kind)).toEqual(["applied", "applied", "applied"]);
      expect(new Set(outcomes.map(found)).size).toBe(1);
      if (isThere) expect(found(outcomes[0])).toBe(found(created));
      expect(state.contacts.size).toBe(1);
    }
  });

  test("a late activity finds it when somebody else has the identifier since", () => {
    const state = new MemoryState();
    const identifiers = { email: "old@x.org" };
    const [first, second] = itemOf({ identifiers, attributes: { email: "new@x.org" }, ...rights }, [event, event]);
    if (first === undefined || second === undefined) throw new Error("two records");
    const [built] = state.apply(account, [first]);
    const [other] = state.apply(account, [upsert({ identifiers, attributes: { a: 1 } }, 3)]);
    const [outcome] = state.apply(account, [
      { ...second, record: { ...second.record, id: "redrive:0:0", redriveOf: second.record.id } },
    ]);
    expect(found(other)).not.toBe(found(built));
    expect(found(outcome)).toBe(found(built));
  });

  test("the next item of the frame by the replaced identifier is somebody else's", () => {
    const state = new MemoryState();
    const identifiers = { email: "old@x.org" };
    const items = itemOf({ identifiers, attributes: { email: "new@x.org" }, ...rights }, [event, event], { place: 0 });
    const outcomes = state.apply(account, [...items, upsert({ identifiers, attributes: { a: 1 } }, 2, 2)]);
    expect(outcomes.map(({ kind }) => kind)).toEqual(["applied", "applied", "applied"]);
    expect(new Set(outcomes.map(found)).size).toBe(2);
  });
});

describe("an item whose first activity is a repeat", () => {
  const identifiers = { email: "ann@x.org" };
  const known = { ...event, UID: "1" };
  const plansOf = (state: MemoryState) => {
    return [...state.contacts.values()].map((row) => fromRow(row).attributes.get("plan")?.value);
  };
  const after = (contact: object) => {
    const state = new MemoryState();
    state.apply(account, itemOf({ identifiers, attributes: { plan: "a" }, ...rights }, [known], { offset: 1 }));
    const outcomes = state.apply(account, itemOf(contact, [known, { ...event, UID: "2" }]));
    return { state, outcomes };
  };

  test("writes its attributes, and records the activities that are new", () => {
    const { state, outcomes } = after({ identifiers, attributes: { plan: "b" }, ...rights });
    expect(outcomes).toEqual([
      expect.objectContaining({ kind: "skipped", code: "DUPLICATE" }),
      expect.objectContaining({ kind: "applied" }),
    ]);
    expect(plansOf(state)).toEqual(["b"]);
  });

  test("says why attributes were left, and rejects what cannot be written", () => {
    const left = after({ identifiers, attributes: { plan: "b" } });
    expect(left.outcomes[0]).toMatchObject({ code: "DUPLICATE", warnings: new Set(["UPDATE_NOT_ALLOWED"]) });
    expect(plansOf(left.state)).toEqual(["a"]);
    const wrong = after({ identifiers, attributes: { n: "many" }, ...rights });
    expect(wrong.outcomes[0]).toMatchObject({ kind: "rejected", code: "ATTRIBUTE_TYPE_MISMATCH" });
  });

  test("makes no contact of an identifier that its first copy has replaced", () => {
    const state = new MemoryState();
    const contact = { identifiers, attributes: { email: "new@x.org" }, ...rights };
    state.apply(account, itemOf(contact, [known], { offset: 1 }));
    expect(state.apply(account, itemOf(contact, [known]))).toEqual([
      expect.objectContaining({ kind: "skipped", code: "DUPLICATE" }),
    ]);
    expect(state.contacts.size).toBe(1);
  });
});
