import { claimSends, releaseSends } from "@headwater/messaging/sends/claimSends";
import { type BegunSend, insertSends } from "@headwater/messaging/sends/insertSends";
import { oldestDueSends } from "@headwater/messaging/sends/oldestDueSends";
import { expireSends, intendSends, resolveSends } from "@headwater/messaging/sends/resolveSends";
import { countSendStates, deleteEndedSends, pageSends, readCountedSends } from "@headwater/messaging/sends/sendReads";
import type { SendKey, StoredSend } from "@headwater/messaging/sends/sendRow";
import { deleteDoneWants, insertWant, readWants } from "@headwater/messaging/sends/wants";
import type { Postgres } from "@headwater/postgres/connection/postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Fresh, freshPostgres } from "./fresh.ts";
import { wantedSend } from "./wantedSend.ts";

const NOW = Date.UTC(2026, 0, 9);
const LEASE_MS = 60_000;
let fresh: Fresh<Postgres>;
let accounts = 0;
beforeAll(async () => {
  fresh = await freshPostgres();
});
afterAll(() => fresh.drop());

const wanted = (contact: number, more: Partial<BegunSend> = {}) =>
  wantedSend(accounts, contact, { dueAt: NOW, ...more });
const insert = (...sends: readonly BegunSend[]) =>
  fresh.store.transaction((transaction) => insertSends(transaction, { account: accounts, sends, nowMs: NOW }));
const claim = (owner: string, more: { leaseMs?: number; sendsMax?: number; after?: number } = {}) =>
  fresh.store.transaction((transaction) =>
    claimSends(transaction, { owner, leaseMs: LEASE_MS, nowMs: NOW, after: 0, sendsMax: 50, ...more }),
  );
const own = (sends: readonly StoredSend[]) => sends.filter(({ account }) => account === accounts);
const intend = (owner: string, sends: readonly SendKey[], leaseMs = LEASE_MS) =>
  fresh.store.transaction((transaction) =>
    intendSends(
      transaction,
      sends.map((send) => ({ ...send, address: "a@example.com", transport: "t1", variant: null })),
      { account: accounts, owner, leaseMs, nowMs: NOW },
    ),
  );
const resolve = (
  owner: string,
  sends: readonly SendKey[],
  state: "sent" | "deferred" | "failed" = "sent",
  attempts = 1,
) =>
  fresh.store.transaction((transaction) =>
    resolveSends(
      transaction,
      sends.map((send) => ({ ...send, attempts, state, reason: null, code: 250, text: "ok", dueAt: NOW })),
      { account: accounts, owner, nowMs: NOW },
    ),
  );
const expire = async () =>
  own(await fresh.store.transaction((transaction) => expireSends(transaction, { nowMs: NOW, sendsMax: 1_000 })));
const states = async () =>
  (await countSendStates(fresh.store, { account: accounts, message: "m1" })).map(({ state, reason, count }) => [
    state,
    reason,
    count,
  ]);
const nextAccount = () => {
  accounts += 1;
};

describe("a send", () => {
  test("has one row: a second want of the same key changes nothing, and gets to know it", async () => {
    nextAccount();
    expect(await insert(wanted(1), wanted(2))).toHaveLength(2);
    expect(await insert(wanted(2), wanted(3))).toEqual([{ account: accounts, message: "m1", contact: 3, n: 1 }]);
    await insert(wanted(4, { state: "skipped", reason: "suppressed" } as Partial<BegunSend>));
    expect(await states()).toEqual([
      ["pending", null, 3],
      ["skipped", "suppressed", 1],
    ]);
  });

  test("is claimed by one of two senders, the highest priority first, and given back it is due later", async () => {
    nextAccount();
    await insert(wanted(1), wanted(2, { priority: 4 }), wanted(3, { dueAt: NOW + 1 }));
    const [first, second] = await Promise.all([claim("a", { sendsMax: 1 }), claim("b")]);
    const claimed = [...own(first), ...own(second)].map(({ contact }) => contact);
    expect(new Set(claimed).size).toBe(claimed.length);
    expect(claimed).not.toContain(3);
    const rest = own(await claim("b"));
    expect([...claimed, ...rest.map(({ contact }) => contact)].sort()).toEqual([1, 2]);
    const due = await oldestDueSends(fresh.store, NOW);
    expect(due).toContainEqual({ transport: "", domain: expect.any(String), oldest: NOW });
    expect(Math.min(...due.map(({ oldest }) => oldest))).toBe(NOW);
    const key = { account: accounts, message: "m1", contact: 1, n: 1 };
    const owner = [...own(first)].some(({ contact }) => contact === 1) ? "a" : "b";
    await releaseSends(fresh.store, [key], { account: accounts, owner, dueAt: NOW + 5, reason: "quiet-hours" });
    expect(own(await claim("c"))).toEqual([]);
  });

  test("goes to another owner when its lease ends before the intent; the first owner intends it no more", async () => {
    nextAccount();
    await insert(wanted(1));
    const sends = own(await claim("a", { leaseMs: 0 }));
    expect(sends).toHaveLength(1);
    expect(own(await claim("b"))).toHaveLength(1);
    expect(await intend("a", sends)).toEqual([]);
    expect(await intend("b", sends)).toMatchObject([{ attempts: 1 }]);
    expect(await resolve("a", sends)).toEqual([]);
    expect(await resolve("b", sends)).toHaveLength(1);
    expect(await states()).toEqual([["sent", null, 1]]);
  });

  test("ends as unknown when its sender was killed; one that may go out again is due once more", async () => {
    nextAccount();
    await insert(wanted(1), wanted(2, { classification: "transactional", resendsLeft: 1 }));
    const sends = own(await claim("a"));
    await intend("a", sends, 0);
    expect((await expire()).map(({ contact, state, reason }) => [contact, state, reason])).toEqual(
      expect.arrayContaining([
        [1, "unknown", "answer-lost"],
        [2, "deferred", "answer-lost"],
      ]),
    );
    const held = own(await claim("b"));
    expect(held.map(({ contact }) => contact)).toEqual([2]);
    await releaseSends(fresh.store, held, { account: accounts, owner: "b", dueAt: 0, reason: "rate" });
    const again = own(await claim("b"));
    expect(again).toMatchObject([{ contact: 2, reason: "answer-lost" }]);
    await intend("b", again, 0);
    expect(await expire()).toMatchObject([{ contact: 2, state: "unknown" }]);
    expect(
      await resolve(
        "a",
        sends.filter(({ contact }) => contact === 2),
      ),
    ).toEqual([]);
    // The sleeper of the first knows its outcome after all.
    expect(
      await resolve(
        "a",
        sends.filter(({ contact }) => contact === 1),
      ),
    ).toHaveLength(1);
  });

  test("stays lost when a sleeping sender says that it is due again, and is settled by its own attempt alone", async () => {
    nextAccount();
    await insert(wanted(1), wanted(2));
    const sends = own(await claim("a"));
    await intend("a", sends, 0);
    await expire();
    expect(await resolve("a", sends, "deferred")).toEqual([]);
    expect(await states()).toEqual([["unknown", null, 2]]);
    expect(await resolve("a", sends, "failed", 2)).toEqual([]);
    expect(await resolve("a", sends.slice(0, 1), "failed")).toHaveLength(1);
    expect(await states()).toEqual([
      ["failed", null, 1],
      ["unknown", null, 1],
    ]);
  });

  test("counts for caps from its intent on, unless it is a test or transactional", async () => {
    nextAccount();
    await insert(
      wanted(1),
      wanted(1, { message: "m2", classification: "transactional" }),
      wanted(1, { message: "m3", kind: "t" }),
    );
    expect(await readCountedSends(fresh.store, { account: accounts, people: [1], after: 0 })).toEqual([]);
    await intend("a", own(await claim("a")));
    expect(await readCountedSends(fresh.store, { account: accounts, people: [1], after: 0 })).toEqual([
      { person: 1, channel: "email", intendedAt: NOW },
    ]);
    expect(await readCountedSends(fresh.store, { account: accounts, people: [1], after: NOW })).toEqual([]);
  });

  test("is listed with those of its message's days, and goes after its time", async () => {
    nextAccount();
    const day = { message: "m1:d260109" };
    await insert(wanted(1), wanted(2, day), wanted(2, { ...day, n: 2 }), wanted(3, { message: "m10" }));
    const page = { account: accounts, message: "m1", direction: "asc" as const, skip: 0, rowsMax: 2 };
    const first = await pageSends(fresh.store, page);
    expect(first.map(({ message, contact, n }) => [message, contact, n])).toEqual([
      ["m1", 1, 1],
      ["m1:d260109", 2, 1],
    ]);
    const [, after] = first;
    expect(await pageSends(fresh.store, { ...page, ...(after && { after }) })).toMatchObject([{ contact: 2, n: 2 }]);
    const sends = own(await claim("a"));
    await intend("a", sends);
    await resolve("a", sends.slice(1));
    expect(await deleteEndedSends(fresh.store, NOW + 1)).toBeGreaterThanOrEqual(3);
    expect(await states()).toMatchObject([["sending", null, 1]]);
  });
});

test("attachments are read of as many calls as fit, and the others are told apart", async () => {
  nextAccount();
  const nothing = { frozen: null, event: null, template: "t", isDraft: false, mergeData: "{}" };
  for (const [id, attachments] of [
    ["w1", "x".repeat(10)],
    ["w2", "x".repeat(10)],
    ["w3", "x".repeat(10)],
    ["w4", null],
  ] as const)
    await fresh.store.transaction((transaction) =>
      insertWant(transaction, { account: accounts, id, attachments, ...nothing }, NOW),
    );
  const read = await readWants(fresh.store, accounts, { ids: ["w4", "w3", "w2", "w1"], attachmentBytesMax: 25 });
  expect(
    read.toSorted((a, b) => a.id.localeCompare(b.id)).map((one) => [one.attachments?.length, one.isTooMuch]),
  ).toEqual([
    [10, false],
    [10, false],
    [undefined, true],
    [undefined, false],
  ]);
});

test("a call that wants sends is kept until all of them have ended", async () => {
  nextAccount();
  const nothing = { attachments: null, frozen: null, event: null };
  const want = { account: accounts, id: "w1", template: "t", isDraft: false, mergeData: "{}", ...nothing };
  await fresh.store.transaction((transaction) => insertWant(transaction, want, NOW));
  await insert(wanted(1, { want: "w1" }));
  await deleteDoneWants(fresh.store, { before: NOW + 1, rowsMax: 100 });
  expect(await readWants(fresh.store, accounts, { ids: ["w1"], attachmentBytesMax: 1_000 })).toEqual([
    { ...want, isTooMuch: false },
  ]);
  const sends = own(await claim("a"));
  await intend("a", sends);
  await resolve("a", sends);
  await deleteDoneWants(fresh.store, { before: NOW + 1, rowsMax: 100 });
  expect(await readWants(fresh.store, accounts, { ids: ["w1"], attachmentBytesMax: 1_000 })).toEqual([]);
});
