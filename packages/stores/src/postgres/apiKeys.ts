import type { Account } from "@headwater/contracts";
import { toAccount } from "./accounts.ts";
import { textArray } from "./arrays.ts";
import type { Session } from "./session.ts";

/** A key as it may be shown: never the key itself. */
export interface ApiKey {
  readonly id: string;
  /** Number of the account. */
  readonly account: number;
  /** Its first characters. */
  readonly prefix: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
  readonly createdAt: Date;
}

export interface NewApiKey {
  readonly id: string;
  readonly account: number;
  /** SHA-256 of the key, hex. */
  readonly hash: string;
  readonly prefix: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly expiresAt?: Date;
}

const COLUMNS = `k.id, k.account, k.prefix, k.name, k.scopes, k.expires_at AS "expiresAt", k.revoked_at AS "revokedAt", k.created_at AS "createdAt"`;
const insertStatement = {
  text: `INSERT INTO intake.api_keys AS k (id, account, hash, prefix, name, scopes, expires_at) VALUES ($1, $2, $3, $4, $5, $6::text[], $7)
    RETURNING ${COLUMNS}`,
};
const findStatement = {
  name: "api_keys_find",
  text: `SELECT ${COLUMNS}, a.number, a.id AS "accountId", a.name AS "accountName", a.settings
    FROM intake.api_keys k JOIN intake.accounts a ON a.number = k.account WHERE k.hash = $1`,
};
const listStatement = {
  text: `SELECT ${COLUMNS} FROM intake.api_keys k WHERE k.account = $1 ORDER BY k.created_at, k.id`,
};
const revokeStatement = {
  text: "UPDATE intake.api_keys SET revoked_at = now() WHERE account = $1 AND id = $2 AND revoked_at IS NULL",
};

export async function createApiKey(session: Session, key: NewApiKey): Promise<ApiKey> {
  const scopes = textArray(key.scopes, (scope) => scope);
  const values = [key.id, key.account, key.hash, key.prefix, key.name, scopes, key.expiresAt ?? null];
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
  if (row === undefined) return undefined;
  const { number, accountId, accountName, settings, ...key } = row;
  return { key, account: toAccount({ number, id: accountId, name: accountName, settings }) };
}

export function listApiKeys(session: Session, account: number): Promise<ApiKey[]> {
  return session.query(listStatement, [account]);
}

/** False when there is no such key, or it was revoked before. */
export async function revokeApiKey(session: Session, account: number, id: string): Promise<boolean> {
  return (await session.execute(revokeStatement, [account, id])) === 1;
}
