import { type Account, defaultSettings, versionOf } from "@headwater/contracts";
import { MemoryState } from "@headwater/testing";
import { expect, test } from "vitest";
import { addContactsToList } from "./addContactsToList/addContactsToList.ts";
import { removeContactsFromList } from "./removeContactsFromList/removeContactsFromList.ts";

const account: Account = { number: 1, id: "a".repeat(24), name: "test", settings: defaultSettings };
const version = versionOf(1_000, { lane: 1, partition: 0, offset: 1, place: 0 });
const record = { id: "r:0:4", receivedAt: 0, contact: { identifiers: { email: "nobody@x.org" } } };

test.each([addContactsToList, removeContactsFromList])(
  "$name names the contact and the list that it lacks",
  (operation) => {
    const state = new MemoryState();
    state.defineList(1, { id: 1, name: "vip", clearedVersion: undefined });
    const outcomes = [{ listName: "vip" }, { listId: 9 }].flatMap((list) =>
      state.apply(account, [{ operation, version, record: { ...record, ...list } }]),
    );
    expect(outcomes).toMatchObject([
      { code: "CONTACTS_CONTACT_NOT_FOUND", path: "/identifiers/0" },
      { code: "ACCOUNT_LISTS_NOT_FOUND", path: "/listId" },
    ]);
  },
);
