import { createHmac } from "node:crypto";
import { plainArray, textArray } from "@headwater/postgres/connection/arrays";
import type { Session, Transaction } from "@headwater/postgres/connection/session";
import { readErasureSecret } from "./erasureSecret.ts";
import type { Erasure } from "./erasures.ts";

/**
 * Something that ClickHouse holds of a contact: the contact's number, an order's id, or a record's (`<supplement>:<id>`). Of
 * orders and records hashes are stored, keyed like those of identifiers: the ids may be personal.
 */
export interface ErasableKey {
  readonly account: number;
  readonly kind: "contact" | "order" | "record";
  readonly key: string;
}

/** A key and the version up to which all that was written of it is erased. */
export interface ErasedKey extends ErasableKey {
  readonly version: string;
}

/** Numbers of contacts are given once: whatever is written under one that was erased is nobody's. */
const FOR_EVER = "ffffffff-ffff-ffff-ffff-ffffffffffff";

const keepStatement = {
  name: "erased_keys_keep",
  text: `INSERT INTO erased_keys AS e (account, kind, key, version)
    SELECT $1, kind, key, version FROM unnest($2::text[], $3::text[], $4::uuid[]) AS r (kind, key, version)
    ON CONFLICT (account, kind, key) DO UPDATE SET version = GREATEST(e.version, EXCLUDED.version)`,
};
const accountsStatement = {
  name: "erased_keys_accounts",
  text: "SELECT account FROM unnest($1::int[]) AS a (account) WHERE EXISTS (SELECT FROM erased_keys e WHERE e.account = a.account)",
};
const loadStatement = {
  name: "erased_keys_load",
  text: `SELECT account, kind, key, version FROM unnest($1::int[], $2::text[], $3::text[]) AS k (account, kind, key)
    JOIN erased_keys USING (account, kind, key)`,
};

/** Stores the keys of an erasure: from now on the sinks leave the contact out of ClickHouse. */
export async function keepErasedKeys(transaction: Transaction, erasure: Erasure): Promise<void> {
  const { account, version, numbers, orders, records } = erasure;
  const secret = await readErasureSecret(transaction);
  const hashed = (kind: "order" | "record", key: string) => ({
    kind,
    key: storedKey(secret, { account, kind, key }),
    version,
  });
  const keys = [
    ...numbers.map((number) => ({ kind: "contact", key: String(number), version: FOR_EVER })),
    ...orders.map((key) => hashed("order", key)),
    ...records.map((record) => hashed("record", record.join(":"))),
  ];
  await transaction.execute(keepStatement, [
    account,
    textArray(keys, ({ kind }) => kind),
    textArray(keys, ({ key }) => key),
    plainArray(keys, (key) => key.version),
  ]);
}

/** Returns which of the accounts had a contact erased: one read of an index for each. */
export async function accountsWithErasures(session: Session, accounts: readonly number[]): Promise<number[]> {
  const rows = await session.query<{ account: number }>(accountsStatement, [plainArray(accounts, (one) => one)]);
  return rows.map(({ account }) => account);
}

/** Returns which of the keys were erased. */
export async function loadErasedKeys(session: Session, keys: readonly ErasableKey[]): Promise<ErasedKey[]> {
  const secret = await readErasureSecret(session);
  // Keys that an earlier version stored stand as they are.
  const asked = keys.flatMap((one) => [
    { one, stored: one.key },
    { one, stored: storedKey(secret, one) },
  ]);
  const found = await session.query<ErasedKey>(loadStatement, [
    plainArray(asked, ({ one }) => one.account),
    textArray(asked, ({ one }) => one.kind),
    textArray(asked, ({ stored }) => stored),
  ]);
  const versions = new Map(found.map((row) => [nameOf(row), row.version]));
  return asked.flatMap(({ one, stored }) => {
    const version = versions.get(nameOf({ ...one, key: stored }));
    return version === undefined ? [] : [{ ...one, version }];
  });
}

function storedKey(secret: Buffer, { account, kind, key }: ErasableKey): string {
  if (kind === "contact") return key;
  return createHmac("sha256", secret).update(`${account}\n${kind}\n${key}`).digest("hex");
}

function nameOf({ account, kind, key }: ErasableKey): string {
  return `${account} ${kind} ${key}`;
}
