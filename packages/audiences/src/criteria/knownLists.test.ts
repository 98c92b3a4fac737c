import { createListNames } from "@headwater/criteria";
import type { Session } from "@headwater/postgres/connection/session";
import type { NamedList } from "@headwater/records/lists/namedLists";
import { expect, test } from "vitest";
import { readLists } from "./knownLists.ts";

const NOW = Date.UTC(2026, 10, 23);
const list = (id: number, rest: Partial<NamedList> = {}): NamedList => ({
  account: 1,
  id,
  name: "vip",
  displayName: "vip",
  enhanced: false,
  clearedVersion: null,
  createdAt: NOW - 100,
  deletedAt: null,
  ...rest,
});

/** A session that answers statements by their names and remembers what it was asked. */
function sessionOf(answers: Readonly<Record<string, readonly NamedList[]>>) {
  const asked: { readonly name: string; readonly values: readonly unknown[] }[] = [];
  const session: Session = {
    async query({ name = "" }, values = []) {
      asked.push({ name, values });
      return JSON.parse(JSON.stringify(answers[name] ?? []));
    },
    execute: () => Promise.reject(new Error("nothing is written")),
  };
  return { asked, session };
}

test("a count of an account with many lists reads only those it names, and none when it names none", async () => {
  const { asked, session } = sessionOf({ lists_named: [list(7)] });
  expect(await readLists(session, { account: 1, wanted: { names: ["VIP"], ids: [9] }, asOf: undefined })).toEqual([
    { id: 7, name: "vip" },
  ]);
  expect(asked.map(({ name, values }) => [name, values])).toEqual([["lists_named", [1, '{"vip"}', "{9}"]]]);
  expect(await readLists(session, { account: 1, wanted: { names: [], ids: [] }, asOf: NOW })).toEqual([]);
  expect(asked).toHaveLength(1);
});

test("the list that existed at the moment comes first among lists of one name", async () => {
  const present = [list(3, { createdAt: NOW + 50 })];
  const former = [list(2, { createdAt: NOW - 10, deletedAt: NOW + 10 }), list(1, { deletedAt: NOW + 20 })];
  const { session } = sessionOf({ lists_named: present, lists_named_before: former });
  const wanted = { names: ["vip"], ids: [] };
  expect((await readLists(session, { account: 1, wanted, asOf: NOW })).map(({ id }) => id)).toEqual([2, 1, 3]);
});

test("a name of several moments has the lists that it meant before, and an id has none", async () => {
  const present = [list(3, { createdAt: NOW + 50 })];
  const former = [list(2, { createdAt: NOW - 10, deletedAt: NOW + 10 }), list(1, { deletedAt: NOW + 20 })];
  const { asked, session } = sessionOf({ lists_named: present, lists_named_before: former });
  const read = { account: 1, wanted: { names: ["vip"], ids: [] }, since: NOW, asOf: NOW + 60 };
  const lists = await readLists(session, read);
  const before = [
    { id: 2, until: NOW + 10 },
    { id: 1, until: NOW + 20 },
  ];
  expect(lists).toEqual([{ id: 3, name: "vip", before }]);
  expect(asked[1]?.values.slice(-2)).toEqual([NOW, NOW + 60]);
  const names = createListNames(lists);
  expect([names.find("VIP"), names.find(3)]).toEqual([lists[0], { id: 3, name: "vip" }]);
  expect(names.find("3")).not.toHaveProperty("before");
});

test("a list that exists at all moments is the only one that its name means", async () => {
  const present = [list(3)];
  const former = [list(2, { createdAt: NOW - 10, deletedAt: NOW + 10 })];
  const { session } = sessionOf({ lists_named: present, lists_named_before: former });
  const read = { account: 1, wanted: { names: ["vip"], ids: [] }, since: NOW, asOf: NOW + 60 };
  expect(await readLists(session, read)).toEqual([{ id: 3, name: "vip" }]);
});

test("all lists at a past moment include those that were deleted since", async () => {
  const former = [list(2, { name: "gone", createdAt: NOW - 10, deletedAt: NOW + 10 })];
  const { session } = sessionOf({ lists_first: [list(3, { createdAt: NOW - 50 })], lists_gone_since: former });
  const read = { account: 1, wanted: "all" } as const;
  expect((await readLists(session, { ...read, asOf: NOW })).map(({ id }) => id)).toEqual([3, 2]);
  expect((await readLists(session, { ...read, asOf: undefined })).map(({ id }) => id)).toEqual([3]);
});
