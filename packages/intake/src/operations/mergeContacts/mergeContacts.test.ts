import { type Account, accountSettings, defaultSettings, versionOf } from "@headwater/contracts";
import { fromRow } from "@headwater/records/contacts/contactDocument";
import { MemoryState } from "@headwater/testing";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { LoggedOperation } from "../operation.ts";
import { operations } from "../registry.ts";
import { mergeContacts } from "./mergeContacts.ts";

const account: Account = { number: 1, id: "a".repeat(24), name: "test", settings: defaultSettings };
const upsertContact = operations.find(({ name }) => name === "upsertContact");

let offset = 0;
function located(operation: LoggedOperation | undefined, members: object) {
  if (operation === undefined) throw new Error("no such operation");
  offset += 1;
  const version = versionOf(1_000 + offset, { lane: 1, partition: 0, offset, place: 0 });
  return { operation, version, record: { id: `r${offset}:0:0`, receivedAt: 0, ...members } };
}

const upsert = (identifiers: object, attributes: object = { a: 1 }) =>
  located(upsertContact, { contact: { identifiers, attributes, canBeCreated: true, canBeUpdated: true } });
const merge = (id: string, previousId: string) =>
  located(mergeContacts, {
    contact: { identifiers: { customer_id: id }, canBeCreated: true },
    previous: {
      identifiers: { anonymousId: previousId, customer_id: previousId },
      identifiersPriority: ["anonymousId", "customer_id"],
    },
  });

/** Returns what the identifier finds, through merges. */
function found(state: MemoryState, name: string, value: string) {
  const owner = state.owners.get(`1\n${name}\n${value}`);
  const row = owner === undefined ? undefined : state.contacts.get(state.aliases.get(owner) ?? owner);
  if (row === undefined) return undefined;
  const contact = fromRow(row);
  return {
    cid: contact.cid,
    identifiers: Object.fromEntries(contact.identifiers),
    attributes: Object.fromEntries([...contact.attributes].map(([key, written]) => [key, written.value])),
  };
}

describe("an explicit merge", () => {
  test("lets the destination survive with its values, though it is the younger and names differ", () => {
    const state = new MemoryState();
    state.apply(account, [
      upsert({ anonymousId: "anon", email: "old@x.org" }, { plan: "free", visits: 3 }),
      upsert({ customer_id: "u1", email: "new@x.org" }, { plan: "gold" }),
    ]);
    const destination = found(state, "customer_id", "u1");
    expect(state.apply(account, [merge("u1", "anon")])).toMatchObject([{ kind: "applied" }]);
    const merged = found(state, "customer_id", "u1");
    expect(merged?.cid).toBe(destination?.cid);
    expect(merged?.attributes).toEqual({ plan: "gold", visits: 3 });
    expect(merged?.identifiers).toEqual({
      customer_id: ["u1"],
      email: ["new@x.org", "old@x.org"],
      anonymousId: ["anon"],
    });
    for (const [name, value] of [
      ["anonymousId", "anon"],
      ["email", "old@x.org"],
      ["email", "new@x.org"],
    ] as const) {
      expect(found(state, name, value)?.cid).toBe(destination?.cid);
    }
  });

  test("looks for the previous id as anonymousId, then under the pipeline's own key", () => {
    const state = new MemoryState();
    state.apply(account, [upsert({ customer_id: "old" }), upsert({ customer_id: "u1" }), merge("u1", "old")]);
    expect(found(state, "customer_id", "old")?.cid).toBe(found(state, "customer_id", "u1")?.cid);
    state.apply(account, [upsert({ customer_id: "both" }), upsert({ anonymousId: "both" }), merge("u1", "both")]);
    expect(found(state, "anonymousId", "both")?.cid).toBe(found(state, "customer_id", "u1")?.cid);
    expect(found(state, "customer_id", "both")?.cid).not.toBe(found(state, "customer_id", "u1")?.cid);
  });

  test("attaches the previous id where only the destination exists, beside one it has", () => {
    const state = new MemoryState();
    state.apply(account, [upsert({ customer_id: "u1", anonymousId: "first" }), merge("u1", "second")]);
    expect(found(state, "anonymousId", "second")?.identifiers).toMatchObject({ anonymousId: ["first", "second"] });
  });

  test("gives the new id to the previous contact where only that exists", () => {
    const state = new MemoryState();
    state.apply(account, [upsert({ anonymousId: "anon" }, { visits: 3 }), merge("u1", "anon")]);
    expect(found(state, "customer_id", "u1")).toMatchObject({
      identifiers: { anonymousId: ["anon"], customer_id: ["u1"] },
      attributes: { visits: 3 },
    });
  });

  test("makes one contact with both where none exists", () => {
    const state = new MemoryState();
    state.apply(account, [merge("u1", "anon")]);
    expect(found(state, "customer_id", "u1")?.cid).toBe(found(state, "anonymousId", "anon")?.cid);
    expect(state.contacts.size).toBe(1);
  });

  test("a repeated explicit merge changes nothing", () => {
    const state = new MemoryState();
    state.apply(account, [upsert({ anonymousId: "anon" }), upsert({ customer_id: "u1" }), merge("u1", "anon")]);
    expect(state.apply(account, [merge("u1", "anon")])).toMatchObject([{ kind: "skipped", code: "UNCHANGED" }]);
  });

  test("whose source became one with the destination by what the record says of that is done with it", () => {
    const state = new MemoryState();
    state.apply(account, [upsert({ customer_id: "u1" }), upsert({ email: "a@x.org" })]);
    const contact = { identifiers: { customer_id: "u1" }, attributes: { email: "a@x.org" }, canBeUpdated: true };
    const merging = { ...contact, mergeOptions: { mergeAllowed: true } };
    const record = located(mergeContacts, { contact: merging, previous: { identifiers: { email: "a@x.org" } } });
    expect(state.apply(account, [record])).toMatchObject([{ kind: "applied" }]);
    expect(state.merges).toHaveLength(1);
    expect(found(state, "email", "a@x.org")?.cid).toBe(found(state, "customer_id", "u1")?.cid);
  });

  test("is rejected where the account has merging switched off", () => {
    const state = new MemoryState();
    const off = { ...account, settings: accountSettings.parse({ features: { merge: false } }) };
    const records = [upsert({ anonymousId: "anon" }), upsert({ customer_id: "u1" }), merge("u1", "anon")];
    expect(state.apply(off, records)[2]).toMatchObject({ kind: "rejected", code: "MERGE_CONFLICT" });
  });

  test("leaves one contact for both ids, whatever was before, and every identifier of either finds it", () => {
    const id = fc.constantFrom("1", "2", "3");
    const step = fc.oneof(
      fc.record({ customer_id: id }).map((identifiers) => () => upsert(identifiers)),
      fc.record({ anonymousId: id }).map((identifiers) => () => upsert(identifiers)),
      fc.record({ customer_id: id, anonymousId: id }).map((identifiers) => () => upsert(identifiers)),
      fc.tuple(id, id).map(
        ([to, from]) =>
          () =>
            merge(to, from),
      ),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 8 }), id, id, (steps, to, from) => {
        const state = new MemoryState();
        for (const make of steps) state.apply(account, [make()]);
        const names = (name: string, value: string) =>
          Object.entries(found(state, name, value)?.identifiers ?? {}).flatMap(([key, values]) =>
            values.map((one) => [key, one] as const),
          );
        const before = [...names("customer_id", to), ...names("anonymousId", from)];
        state.apply(account, [merge(to, from)]);
        const survivor = found(state, "customer_id", to)?.cid;
        expect(survivor).toBeDefined();
        const all = [...before, ["customer_id", to] as const, ["anonymousId", from] as const];
        const checked = all.filter(
          ([name, value]) => name !== "anonymousId" || found(state, name, value) !== undefined,
        );
        for (const [name, value] of checked)
          expect([name, value, found(state, name, value)?.cid]).toEqual([name, value, survivor]);
      }),
      { numRuns: 300 },
    );
  });
});
