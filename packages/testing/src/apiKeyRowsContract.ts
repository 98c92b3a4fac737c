import { deepEqual, equal } from "node:assert/strict";
import type { ApiKeyRows } from "@headwater/accounts/accounts/apiKeyRows";
import type { NewApiKey } from "@headwater/accounts/accounts/apiKeys";

/** Keys, with two accounts that are known. */
export interface ApiKeysUnderTest {
  readonly rows: ApiKeyRows;
  readonly account: number;
  readonly other: number;
}

function keyOf(account: number, id: string, more: Partial<NewApiKey> = {}): NewApiKey {
  return { id, account, hash: `hash of ${id}`, prefix: "hw_abcde", name: id, scopes: ["read"], ...more };
}

const PAST = new Date(0);
const HOUR_MS = 3_600_000;

/** Promises of all keys of accounts, in memory or in Postgres: each is given accounts without keys. */
export const apiKeyRowsContract: readonly (readonly [
  promise: string,
  check: (under: ApiKeysUnderTest) => Promise<void>,
])[] = [
  [
    "keys are listed and counted by account, without what they do not have",
    async ({ rows, account, other }) => {
      const created = await rows.create(keyOf(account, "k1", { allowIps: ["10.0.0.0/8"] }));
      await rows.create(keyOf(other, "k2"));
      const listed = await rows.list(account);
      deepEqual(listed, [created]);
      const { allowIps, rotates, expiresAt, revokedAt, lastUsedAt } = created;
      deepEqual([allowIps, rotates, expiresAt, revokedAt, lastUsedAt], [["10.0.0.0/8"], null, null, null, null]);
      deepEqual([await rows.count(account), await rows.count(other)], [1, 1]);
    },
  ],
  [
    "a key is revoked once and by its own account, and is listed but no more counted",
    async ({ rows, account, other }) => {
      await rows.create(keyOf(account, "k1"));
      equal(await rows.revoke(other, "k1"), undefined);
      equal(await rows.revoke(account, "k1"), "hash of k1");
      equal(await rows.revoke(account, "k1"), undefined);
      equal((await rows.list(account)).length, 1);
      equal(await rows.count(account), 0);
      equal(await rows.lock(account, "k1"), undefined);
    },
  ],
  [
    "a key that has expired or is another account's is not locked",
    async ({ rows, account, other }) => {
      await rows.create(keyOf(account, "gone", { expiresAt: PAST }));
      await rows.create(keyOf(other, "theirs"));
      deepEqual([await rows.lock(account, "gone"), await rows.lock(account, "theirs")], [undefined, undefined]);
    },
  ],
  [
    "a key is replaced while its successor is valid",
    async ({ rows, account }) => {
      await rows.create(keyOf(account, "k1"));
      equal((await rows.lock(account, "k1"))?.isReplaced, false);
      await rows.create(keyOf(account, "k2", { rotates: "k1" }));
      equal((await rows.lock(account, "k1"))?.isReplaced, true);
      await rows.revoke(account, "k2");
      equal((await rows.lock(account, "k1"))?.isReplaced, false);
    },
  ],
  [
    "a key ends after its hours of grace, and no later than it would have ended",
    async ({ rows, account }) => {
      await rows.create(keyOf(account, "k1"));
      equal(await rows.end("k1", 2), "hash of k1");
      const [{ expiresAt } = { expiresAt: null }] = await rows.list(account);
      await rows.end("k1", 9);
      const [after] = await rows.list(account);
      deepEqual(after?.expiresAt, expiresAt);
      await rows.end("k1", 1);
      const [sooner] = await rows.list(account);
      equal((sooner?.expiresAt?.getTime() ?? 0) < (expiresAt?.getTime() ?? 0) - HOUR_MS / 2, true);
      equal(await rows.end("unknown", 1), undefined);
    },
  ],
];
