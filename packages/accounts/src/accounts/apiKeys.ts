import type { Account } from "@headwater/contracts";
import { textArray } from "@headwater/postgres/connection/arrays";
import type { Session } from "@headwater/postgres/connection/session";
import { toAccount } from "./accounts.ts";

/** A key as it may be shown: never the key itself. */
export interface ApiKey {
  readonly id: string;
  /** Number of the account. */
  readonly account: number;
  /** Its first characters. */
  readonly prefix: string;
  readonly name: string;
  readonly scopes: readonly string[];
  /** Addresses and ranges it may be used from; null = any. */
  readonly allowIps: readonly string[] | null;
  /** Id of the key it replaces. */
  readonly rotates: string | null;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
  readonly createdAt: Date;
  /** Time of the last use, to the minute. */
  readonly lastUsedAt: Date | null;
}

export interface NewApiKey {
  readonly id: string;
  readonly account: number;
  /** SHA-256 of the key, hex. */
  readonly hash: string;
  readonly prefix: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly allowIps?: readonly string[];
  readonly rotates?: string;
  readonly expiresAt?: Date;
}

const COLUMNS = `k.id, k.account, k.prefix, k.name, k.scopes, k.allow_ips AS "allowIps", k.rotates, k.expires_at AS "expiresAt",
  k.revoked_at AS "revokedAt", k.created_at AS "createdAt", k.last_used_at AS "lastUsedAt"`;
const insertStatement = {
  text: `INSERT INTO intake.api_keys AS k (id, account, hash, prefix, name, scopes, expires_at, allow_ips, rotates, scopes_version)
    VALUES ($1, $2, $3, $4, $5, $6::text[], $7, $8::text[], $9, 2) RETURNING ${COLUMNS}`,
};
const findStatement = {
  name: "api_keys_find",
  text: `SELECT ${COLUMNS}, a.number, a.id AS "accountId", a.name AS "accountName", a.settings
    FROM intake.api_keys k JOIN intake.accounts a ON a.number = k.account WHERE k.hash = $1`,
};
const findManyStatement = {
  name: "api_keys_find_many",
  text: `SELECT ${COLUMNS}, k.hash, a.number, a.id AS "accountId", a.name AS "accountName", a.settings
    FROM intake.api_keys k JOIN intake.accounts a ON a.number = k.account WHERE k.hash = ANY ($1::text[])`,
};
const listStatement = {
  text: `SELECT ${COLUMNS} FROM intake.api_keys k WHERE k.account = $1 ORDER BY k.created_at, k.id`,
};
const revokeStatement = {
  text: "UPDATE intake.api_keys SET revoked_at = now() WHERE account = $1 AND id = $2 AND revoked_at IS NULL RETURNING hash",
};
const lockStatement = {
  text: `SELECT ${COLUMNS} FROM intake.api_keys k
    WHERE k.account = $1 AND k.id = $2 AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now()) FOR UPDATE`,
};
const successorStatement = {
  text: `SELECT 1 FROM intake.api_keys WHERE rotates = $1 AND revoked_at IS NULL
    AND (expires_at IS NULL OR expires_at > now()) LIMIT 1`,
};
const endStatement = {
  text: `UPDATE intake.api_keys SET expires_at = least(expires_at, now() + $2 * interval '1 hour') WHERE id = $1
    RETURNING hash`,
};
const countStatement = {
  text: "SELECT count(*)::int AS count FROM intake.api_keys WHERE account = $1 AND revoked_at IS NULL",
};

export async function createApiKey(session: Session, key: NewApiKey): Promise<ApiKey> {
  const { id, account, hash, prefix, name, expiresAt = null, rotates = null } = key;
  const scopes = textArray(key.scopes, (scope) => scope);
  const allowIps = key.allowIps === undefined ? null : textArray(key.allowIps, (network) => network);
  const values = [id, account, hash, prefix, name, scopes, expiresAt, allowIps, rotates];
  const [row] = await session.query<ApiKey>(insertStatement, values);
  if (row === undefined) throw new Error("an insert with RETURNING answers its row");
  return row;
}

interface FoundRow extends ApiKey {
  readonly number: number;
  readonly accountId: string;
  readonly accountName: string;
  readonly settings: unknown;
}

/** The key of a hash with its account, revoked and expired ones too: the caller decides by `revokedAt` and `expiresAt`. */
export async function findApiKey(
  session: Session,
  hash: string,
): Promise<{ readonly key: ApiKey; readonly account: Account } | undefined> {
  const [row] = await session.query<FoundRow>(findStatement, [hash]);
  return row && toFound(row);
}

/** The keys of these hashes with their accounts, each under its hash; unknown ones are left out. */
export async function findApiKeys(
  session: Session,
  hashes: readonly string[],
): Promise<Map<string, { readonly key: ApiKey; readonly account: Account }>> {
  const wanted = textArray(hashes, (hash) => hash);
  const rows = await session.query<FoundRow & { readonly hash: string }>(findManyStatement, [wanted]);
  return new Map(rows.map(({ hash, ...row }) => [hash, toFound(row)]));
}

function toFound({ number, accountId, accountName, settings, ...key }: FoundRow) {
  return { key, account: toAccount({ number, id: accountId, name: accountName, settings }) };
}

/** All keys of an account in the order they were made, revoked ones too. */
export function listApiKeys(session: Session, account: number): Promise<ApiKey[]> {
  return session.query(listStatement, [account]);
}

/** Keys of an account that are not revoked. */
export async function countApiKeys(session: Session, account: number): Promise<number> {
  const [row] = await session.query<{ count: number }>(countStatement, [account]);
  return row?.count ?? 0;
}

/** @returns the hash of the key; undefined when there is no such key, or it was revoked before. */
export async function revokeApiKey(session: Session, account: number, id: string): Promise<string | undefined> {
  const [row] = await session.query<{ hash: string }>(revokeStatement, [account, id]);
  return row?.hash;
}

/** A key that is valid now, locked until the transaction ends, so that it is replaced once. */
export async function lockApiKey(
  session: Session,
  account: number,
  id: string,
): Promise<{ readonly key: ApiKey; readonly isReplaced: boolean } | undefined> {
  const [key] = await session.query<ApiKey>(lockStatement, [account, id]);
  if (key === undefined) return undefined;
  return { key, isReplaced: (await session.query(successorStatement, [id])).length > 0 };
}

/** Lets a key end after so many hours, or sooner when it would end sooner. @returns its hash. */
export async function endApiKey(session: Session, id: string, hours: number): Promise<string | undefined> {
  const [row] = await session.query<{ hash: string }>(endStatement, [id, hours]);
  return row?.hash;
}
