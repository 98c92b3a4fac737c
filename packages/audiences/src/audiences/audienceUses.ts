import { textArray } from "@headwater/postgres/connection/arrays";
import type { Session, Transaction } from "@headwater/postgres/connection/session";
import type { StoredAudience } from "./postgres.ts";

/** User of a saved audience: `userId` is the key of an audience or a template, else an id. */
export interface AudienceUser {
  readonly kind: "audience" | "batchmessage" | "automationtemplate" | "orchestration";
  readonly userId: string;
}

const usesStatement = {
  name: "audience_uses_read",
  text: `SELECT u.kind, COALESCE(a.key, u.user_id) AS "userId" FROM audience_uses u
    LEFT JOIN audiences a ON u.kind = 'audience' AND a.account = u.account AND a.id = u.user_id
    WHERE u.account = $1 AND u.audience = $2 ORDER BY 1, 2 LIMIT $3`,
};
const usedStatement = {
  name: "audience_uses_of_user",
  text: "SELECT audience FROM audience_uses WHERE account = $1 AND kind = $2 AND user_id = $3 ORDER BY audience",
};
const deleteStatement = {
  name: "audience_uses_drop",
  text: "DELETE FROM audience_uses WHERE account = $1 AND kind = $3 AND user_id = $2",
};
const addStatement = {
  name: "audience_uses_add",
  text: `INSERT INTO audience_uses (account, audience, kind, user_id) SELECT $1, used, $3, $2 FROM unnest($4::text[]) AS used`,
};
const holdStatement = {
  name: "audiences_hold",
  text: "SELECT id FROM audiences WHERE account = $1 AND id = ANY ($2::text[]) ORDER BY id FOR KEY SHARE",
};

/** The users of an audience, as they were when it was locked. */
export function usersOfAudience(
  transaction: Transaction,
  { account, id }: Pick<StoredAudience, "account" | "id">,
  usersMax: number,
): Promise<AudienceUser[]> {
  return transaction.query(usesStatement, [account, id, usersMax]);
}

/** Returns the ids of the audiences that a user names. */
export async function readAudiencesUsedBy(
  session: Session,
  { account, kind, userId }: AudienceUser & { readonly account: number },
): Promise<string[]> {
  const rows = await session.query<{ audience: string }>(usedStatement, [account, kind, userId]);
  return rows.map(({ audience }) => audience);
}

/** Stores which audiences a user names, by their ids: those alone, from now on. The audiences must be held, or all of the account under `lockAudiences`. */
export async function setAudiencesUsedBy(
  transaction: Transaction,
  { account, kind, userId }: AudienceUser & { readonly account: number },
  used: readonly string[],
): Promise<void> {
  await transaction.execute(deleteStatement, [account, userId, kind]);
  if (used.length > 0) await transaction.execute(addStatement, [account, userId, kind, textArray(used, (one) => one)]);
}

/** Holds audiences until the transaction ends: none of them is deleted meanwhile. @returns the ids of those that there are. */
export async function holdAudiences(
  transaction: Transaction,
  account: number,
  ids: readonly string[],
): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await transaction.query<{ id: string }>(holdStatement, [account, textArray(ids, (id) => id)]);
  return rows.map(({ id }) => id);
}

/** More are never written out into one criteria: the parser refuses it for its nodes. */
const REACHED_MAX = 2_001;

const COLUMNS = `account, id, key, name, description, tags, criteria, lists, last_count AS "lastCount",
  last_count_as_of AS "lastCountAsOf", counted_at AS "countedAt", created_at AS "createdAt", updated_at AS "updatedAt"`;
const reachedStatement = {
  name: "audiences_reached",
  text: `WITH RECURSIVE reached (id) AS (
      SELECT id FROM audiences WHERE account = $1 AND (key = ANY ($2::text[]) OR id = ANY ($2::text[]))
      UNION
      SELECT u.audience FROM reached r JOIN audience_uses u ON u.account = $1 AND u.kind = 'audience' AND u.user_id = r.id
    )
    SELECT ${COLUMNS} FROM audiences WHERE account = $1 AND id IN (SELECT id FROM reached LIMIT ${REACHED_MAX})`,
};

/** The audiences that are named, by key or id, and all that they refer to. */
export async function readAudiencesReached(
  session: Session,
  account: number,
  named: readonly string[],
): Promise<StoredAudience[]> {
  if (named.length === 0) return [];
  return session.query(reachedStatement, [account, textArray(named, (name) => name)]);
}

const keysStatement = {
  name: "audiences_keys",
  text: "SELECT id, key FROM audiences WHERE account = $1 ORDER BY key LIMIT $2",
};

/** Keys of audiences that a misspelled one may have meant. */
export function readAudienceKeys(
  session: Session,
  account: number,
  keysMax: number,
): Promise<{ readonly id: string; readonly key: string }[]> {
  return session.query(keysStatement, [account, keysMax]);
}

/** A saved audience by all that may name it. */
export interface NamedAudience {
  readonly id: string;
  readonly key: string;
  readonly name: string;
}

const namedStatement = {
  name: "audiences_named",
  text: `SELECT id, key, name FROM audiences
    WHERE account = $1 AND (id = ANY ($2::text[]) OR key = ANY ($2::text[]) OR name = ANY ($2::text[]))`,
};
const allNamesStatement = {
  name: "audiences_all_names",
  text: "SELECT id, key, name FROM audiences WHERE account = $1 ORDER BY key LIMIT $2",
};

/** The audiences whose id, key or name is among the texts. */
export function readNamedAudiences(
  session: Session,
  account: number,
  texts: readonly string[],
): Promise<NamedAudience[]> {
  return session.query(namedStatement, [account, textArray(texts, (text) => text)]);
}

/** Names of audiences that a misspelled one may have meant. */
export function readAudienceNames(session: Session, account: number, namesMax: number): Promise<NamedAudience[]> {
  return session.query(allNamesStatement, [account, namesMax]);
}
