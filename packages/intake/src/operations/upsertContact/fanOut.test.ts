import { type Account, defaultSettings, versionOf } from "@headwater/contracts";
import { MemoryState } from "@headwater/testing";
import { describe, expect, test } from "vitest";
import { upsertContact } from "./upsertContact.ts";

const account: Account = { number: 1, id: "a".repeat(24), name: "test", settings: defaultSettings };
const CONTACTS_MAX = 64;

/** Creates so many contacts, each known by one name: `n0`, `n1`, … */
function contactsOf(count: number): { readonly state: MemoryState; send(contact: object): unknown } {
  const state = new MemoryState();
  let offset = 0;
  const send = (contact: object) => {
    const version = versionOf(1_000 + ++offset, { lane: 1, partition: 0, offset, place: 0 });
    const record = { id: `r${offset}:0:0`, receivedAt: 0, contact };
    return state.apply(account, [{ operation: upsertContact, version, record }])[0];
  };
  for (let index = 0; index < count; index++) {
    send({ identifiers: namesOf([index]), attributes: { a: 1 }, canBeCreated: true });
  }
  return { state, send };
}

const nameOf = (index: number) => `channels.n${index}.address`;
const indexes = (count: number) => Array.from({ length: count }, (_, index) => index);
const namesOf = (of: readonly number[]) => Object.fromEntries(of.map((index) => [nameOf(index), `v${index}`]));
const live = ({ contacts }: MemoryState) => [...contacts.values()].filter(({ mergedInto }) => mergedInto === null);
const mergeOptions = { mergeAllowed: true };

describe("one record", () => {
  test("merges 64 contacts, and every one of their names finds the survivor", () => {
    const { state, send } = contactsOf(CONTACTS_MAX);
    expect(send({ identifiers: namesOf(indexes(CONTACTS_MAX)), mergeOptions })).toMatchObject({ kind: "applied" });
    expect(live(state)).toHaveLength(1);
    expect(new Set(state.owners.values())).toEqual(new Set([1]));
    expect(state.aliases.size).toBe(CONTACTS_MAX - 1);
  });

  test("a record that would merge more is rejected, and merges none", () => {
    const { state, send } = contactsOf(CONTACTS_MAX + 1);
    const outcome = send({ identifiers: namesOf(indexes(CONTACTS_MAX + 1)), mergeOptions });
    expect(outcome).toMatchObject({ kind: "rejected", code: "MERGE_CONFLICT" });
    expect(live(state)).toHaveLength(CONTACTS_MAX + 1);
  });

  test("is rejected too when its attributes claim what the others are known by", () => {
    const { state, send } = contactsOf(CONTACTS_MAX + 1);
    const channels = Object.fromEntries(
      indexes(CONTACTS_MAX + 1).map((index) => [`n${index}`, { address: `v${index}` }]),
    );
    const outcome = send({ identifiers: namesOf([0]), attributes: { channels }, canBeUpdated: true, mergeOptions });
    expect(outcome).toMatchObject({ kind: "rejected", code: "MERGE_CONFLICT" });
    expect(live(state)).toHaveLength(CONTACTS_MAX + 1);
  });
});
