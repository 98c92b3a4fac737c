import { type MemoryPostgres, startMemoryPostgres } from "@headwater/testing";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { deleteLogEntries, insertLogEntry } from "./accountLog.ts";
import { sealKeysOf } from "./seal.ts";
import { deleteOldSeals, readLastSeal, sealEntries } from "./seals.ts";
import { verifySeals } from "./verifySeals.ts";

const DAY_MS = 86_400_000;
const keys = sealKeysOf([Buffer.alloc(32, 7), Buffer.alloc(32, 8)]);
const [key = keys[0], former] = keys;

let memory: MemoryPostgres;
beforeAll(async () => {
  memory = await startMemoryPostgres();
});
afterAll(() => memory.stop());
beforeEach(() => byHand("TRUNCATE account_log, account_log_seals"));

/** Does what the triggers refuse, as whoever owns the tables can. */
async function byHand(sql: string): Promise<void> {
  await memory.database.exec(`SET session_replication_role = replica; ${sql}; RESET session_replication_role`);
}

const entry = {
  account: 1,
  category: "API",
  level: "Info",
  action: "updateProgram",
  message: "m",
  actor: "k1",
} as const;
const write = async (...targets: readonly string[]) => {
  for (const target of targets) await insertLogEntry(memory.postgres, { ...entry, at: Date.now(), target });
};
const seal = (by = key, nowMs = Date.now()) => {
  if (by === undefined) throw new Error("there are two keys");
  return memory.postgres.transaction((transaction) => sealEntries(transaction, by, nowMs));
};
const verify = (expected?: { number: number; mac: string }) => verifySeals(memory.postgres, { keys, expected });
const kinds = async (...of: Parameters<typeof verify>) => (await verify(...of)).findings.map(({ kind }) => kind);

test("entries are sealed once, one seal following from the other, and a log that nobody changed is right", async () => {
  await write("a", "b");
  expect(await seal()).toMatchObject({ number: 1, entries: 2, hasMore: false });
  expect(await seal()).toBeUndefined();
  await write("c");
  expect(await seal(former)).toMatchObject({ number: 2, entries: 1 });
  await write("d");
  expect(await verify()).toMatchObject({ seals: 2, entries: 3, unsealed: 1, findings: [] });
});

test("the database refuses to change or remove entries and seals", async () => {
  await write("a");
  await seal();
  for (const text of [
    "UPDATE account_log SET target = 'x'",
    "DELETE FROM account_log",
    "TRUNCATE account_log",
    "UPDATE account_log_seals SET mac = ''",
    "DELETE FROM account_log_seals",
    "TRUNCATE account_log_seals",
  ])
    await expect(memory.postgres.execute({ text })).rejects.toThrow(/never changed/);
  expect(await kinds()).toEqual([]);
});

test.each([
  ["changed", "UPDATE account_log SET actor = 'k2' WHERE target = 'b'"],
  ["changed", "UPDATE account_log SET members = '{name}' WHERE target = 'b'"],
  ["missing", "DELETE FROM account_log WHERE target = 'b'"],
  ["sealChanged", "UPDATE account_log_seals SET digests[1] = 'x' WHERE number = 2"],
  ["sealMissing", "DELETE FROM account_log_seals WHERE number = 2"],
  ["beginningCut", "DELETE FROM account_log_seals WHERE number = 1"],
])("%s is found after %s", async (kind, sql) => {
  await write("a", "b");
  await seal();
  await write("c");
  await seal();
  await write("d");
  await seal();
  await byHand(sql);
  expect(await kinds()).toContain(kind);
});

test("an entry that is put in after its seal is found", async () => {
  await write("a");
  await seal();
  const { toTx = 0 } = (await readLastSeal(memory.postgres)) ?? {};
  await byHand(`INSERT INTO account_log (account, at, id, category, level, action, message, tx)
    VALUES (1, ${Date.now()}, 'forged', 'API', 1, 'a', 'm', ${toTx - 1})`);
  expect(await verify()).toMatchObject({ findings: [{ kind: "added", entry: "forged" }] });
});

test("an entry that names no transaction is found when it comes after the first seal", async () => {
  await write("a");
  await seal(key, Date.now() - 1_000);
  await byHand(`INSERT INTO account_log (account, at, id, category, level, action, message, tx)
    VALUES (1, ${Date.now()}, 'forged', 'API', 1, 'a', 'm', NULL)`);
  expect(await verify()).toMatchObject({ unsealable: 1, findings: [{ kind: "added", entry: "forged" }] });
});

test("a cut end is found by the last seal that the process log names, and another history as well", async () => {
  await write("a");
  await seal();
  await write("b");
  const last = await seal();
  const expected = { number: last?.number ?? 0, mac: last?.mac ?? "" };
  expect(await kinds(expected)).toEqual([]);
  await byHand("DELETE FROM account_log WHERE target = 'b'; DELETE FROM account_log_seals WHERE number = 2");
  expect(await kinds()).toEqual([]);
  expect(await kinds(expected)).toEqual(["tailCut"]);
  await write("c");
  await seal();
  expect(await kinds(expected)).toEqual(["otherHistory"]);
});

test("a restored backup is named, and a key that is no longer in the file", async () => {
  await write("a");
  await seal();
  await byHand("UPDATE account_log_seals SET timeline = timeline + 1");
  await write("b");
  await seal();
  expect(await kinds()).toEqual(["sealChanged", "restored"]);
  const none = await verifySeals(memory.postgres, { keys: [] });
  expect(none.findings.map(({ kind }) => kind)).toContain("unknownKey");
});

test("a kill before the seal is committed leaves its entries to the next one", async () => {
  await write("a", "b");
  const killed = memory.postgres.transaction(async (transaction) => {
    if (key !== undefined) await sealEntries(transaction, key, Date.now());
    throw new Error("as if killed");
  });
  await expect(killed).rejects.toThrow("as if killed");
  expect(await verify()).toMatchObject({ seals: 0, unsealed: 2 });
  expect(await seal()).toMatchObject({ number: 1, entries: 2 });
  expect(await kinds()).toEqual([]);
});

test("entries of days that are over for 400 days go once they are sealed, with their seals, and the rest stays right", async () => {
  const old = Date.now() - 402 * DAY_MS;
  await insertLogEntry(memory.postgres, { ...entry, at: old, target: "old" });
  expect(await deleteLogEntries(memory.postgres, Date.now())).toBe(0);
  await seal(key, old);
  await write("new");
  await seal();
  expect(await deleteLogEntries(memory.postgres, Date.now())).toBe(1);
  expect(await kinds()).toEqual([]);
  await deleteOldSeals(memory.postgres);
  expect(await verify()).toMatchObject({ seals: 1, entries: 1, findings: [] });
});

test("entries that wait for a seal for long are named", async () => {
  await insertLogEntry(memory.postgres, { ...entry, at: Date.now() - 20 * 60_000 });
  expect(await kinds()).toEqual(["notSealed"]);
});
