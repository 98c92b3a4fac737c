import { insertLogEntry } from "@headwater/api/accountLog/accountLog";
import { sealKeysOf } from "@headwater/api/accountLog/seal";
import { ENTRIES_OF_SEAL_MAX, pageSeals, sealEntries } from "@headwater/api/accountLog/seals";
import { verifySeals } from "@headwater/api/accountLog/verifySeals";
import type { Postgres } from "@headwater/postgres/connection/postgres";
import type { Session } from "@headwater/postgres/connection/session";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Fresh, freshPostgres } from "../stores/fresh.ts";

const WRITES = 10_000;
const WRITERS = 8;
const keys = sealKeysOf([Buffer.alloc(32, 7)]);

let fresh: Fresh<Postgres>;
beforeAll(async () => {
  fresh = await freshPostgres();
});
afterAll(() => fresh.drop());

const entry = { account: 1, category: "API", level: "Info", action: "a", message: "m" } as const;
const write = (session: Session, target: string) => insertLogEntry(session, { ...entry, at: Date.now(), target });
const seal = () =>
  fresh.store.transaction(async (transaction) => {
    const [key] = keys;
    return key && sealEntries(transaction, key, Date.now());
  });

test("an entry whose transaction is open is sealed behind its commit, whatever was sealed in between", async () => {
  const { promise: committed, resolve: commit } = Promise.withResolvers<void>();
  const written = Promise.withResolvers<void>();
  const open = fresh.store.transaction(async (transaction) => {
    await write(transaction, "open");
    written.resolve();
    await committed;
  });
  await written.promise;
  await write(fresh.store, "later");
  expect(await seal()).toBeUndefined();
  commit();
  await open;
  expect(await seal()).toMatchObject({ number: 1, entries: 2 });
});

test("ten thousand concurrent writes are each sealed once, by two workers at once", async () => {
  let isWriting = true;
  const sealed: number[] = [];
  const worker = async () => {
    while (isWriting) sealed.push((await seal())?.entries ?? 0);
  };
  const writers = Array.from({ length: WRITERS }, async (_, writer) => {
    for (let n = 0; n < WRITES / WRITERS; n += 1) await write(fresh.store, `${writer}-${n}`);
  });
  const workers = [worker(), worker()];
  await Promise.all(writers);
  isWriting = false;
  await Promise.all(workers);
  for (let made = await seal(); made !== undefined; made = await seal()) sealed.push(made.entries);
  expect(sealed.reduce((sum, entries) => sum + entries, 0)).toBe(WRITES);
  const check = await fresh.store.transaction((session) => verifySeals(session, { keys }), { isSnapshot: true });
  expect(check).toMatchObject({ entries: WRITES + 2, unsealed: 0, findings: [] });
});

test("more entries than a seal holds get more seals, and one transaction is never divided", async () => {
  const many =
    "INSERT INTO account_log (account, at, id, category, level, action, message) SELECT 2, n, n, 'API', 1, 'a', 'm'";
  await fresh.store.execute({ text: `${many} FROM generate_series(1, ${ENTRIES_OF_SEAL_MAX + 10}) n` });
  await write(fresh.store, "next");
  const made = [await seal(), await seal()];
  expect(made.map((one) => one?.entries)).toEqual([ENTRIES_OF_SEAL_MAX + 10, 1]);
  const numbers = (await pageSeals(fresh.store, 0, 1_000)).map(({ number }) => number);
  expect(numbers).toEqual(numbers.map((_, index) => index + 1));
});
