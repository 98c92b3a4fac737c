import { claimSends, releaseSends } from "@headwater/messaging/sends/claimSends";
import { insertSends } from "@headwater/messaging/sends/insertSends";
import { freeRecalled, recallSends } from "@headwater/messaging/sends/recallSends";
import { intendSends, resolveSends } from "@headwater/messaging/sends/resolveSends";
import type { StoredSend } from "@headwater/messaging/sends/sendRow";
import type { Postgres } from "@headwater/postgres/connection/postgres";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type Fresh, freshPostgres } from "./fresh.ts";
import { wantedSend } from "./wantedSend.ts";

const NOW = Date.UTC(2026, 0, 9);
const owner = "a";
const leaseMs = 60_000;
let fresh: Fresh<Postgres>;
let account = 0;
beforeAll(async () => {
  fresh = await freshPostgres();
});
afterAll(() => fresh.drop());
beforeEach(() => {
  account += 1;
});

const insert = (...contacts: number[]) => {
  const sends = contacts.map((contact) => wantedSend(account, contact));
  return fresh.store.transaction((transaction) => insertSends(transaction, { account, sends, nowMs: NOW }));
};
const claim = async () => {
  const due = { owner, leaseMs, nowMs: NOW, after: account - 1, sendsMax: 50 };
  const claimed = await fresh.store.transaction((transaction) => claimSends(transaction, due));
  return claimed.filter((send) => send.account === account);
};
const hold = (sends: readonly StoredSend[], reason: string, dueAt = NOW + 1_000) =>
  releaseSends(fresh.store, sends, { account, owner, dueAt, reason });
const recall = () => fresh.store.transaction((transaction) => recallSends(transaction, account, "rate"));
const free = (sendsMax = 2) =>
  fresh.store.transaction((transaction) => freeRecalled(transaction, { nowMs: NOW, sendsMax }));

test("sends are due at once when what holds them is changed: some at a time, none that was held later or for another reason", async () => {
  await insert(1, 2, 3, 4, 5);
  const claimed = await claim();
  const of = (...contacts: number[]) => claimed.filter(({ contact }) => contacts.includes(contact));
  await hold(of(1, 2, 3), "rate");
  await hold(of(4), "quiet-hours");
  await recall();
  await hold(of(5), "rate");
  expect([await free(), await free(), await free()]).toEqual([true, true, false]);
  expect((await claim()).map(({ contact }) => contact)).toEqual([1, 2, 3]);
});

test("a send that was attempted since it was held keeps the time of its next attempt", async () => {
  await insert(1);
  await hold(await claim(), "rate", NOW);
  const sends = await claim();
  const intents = sends.map((send) => ({ ...send, address: "a@example.com", transport: "t1", variant: null }));
  await fresh.store.transaction((transaction) =>
    intendSends(transaction, intents, { account, owner, leaseMs, nowMs: NOW }),
  );
  const later = {
    attempts: 1,
    state: "deferred",
    reason: "rate",
    code: 451,
    text: "later",
    dueAt: NOW + 1_000,
  } as const;
  const resolved = sends.map((send) => ({ ...send, ...later }));
  await fresh.store.transaction((transaction) => resolveSends(transaction, resolved, { account, owner, nowMs: NOW }));
  await recall();
  expect([await free(), await free()]).toEqual([true, false]);
  expect(await claim()).toEqual([]);
});
