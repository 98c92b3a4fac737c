import { textArray } from "@headwater/postgres/connection/arrays";
import type { Session, Transaction } from "@headwater/postgres/connection/session";

/**
 * A user of an include: `userId` is the id of the message, or the key of the template or include. Whoever stores a content writes its uses in
 * the same transaction, and a delete locks the include first: else it would have to read the contents of all messages.
 */
export interface IncludeUser {
  readonly kind: "batchmessage" | "automationtemplate" | "include";
  readonly userId: string;
}

/** An include that others lead to. */
export interface ReachedInclude {
  /** Key that was asked for. */
  readonly root: string;
  readonly key: string;
  /** The root itself is at 1. */
  readonly depth: number;
}

/** Levels that are followed: one more than there may be shows that there are too many. */
const DEPTH_MAX = 9;
/** A class of advisory locks of its own. */
const LOCK_CLASS = 7_238_412;

const usesStatement = {
  name: "includes_uses",
  text: `SELECT kind, user_id AS "userId" FROM include_uses WHERE account = $1 AND include = $2 ORDER BY kind, user_id LIMIT $3`,
};
const deleteStatement = {
  name: "include_uses_drop",
  text: "DELETE FROM include_uses WHERE account = $1 AND kind = $2 AND user_id = $3",
};
const addStatement = {
  name: "include_uses_add",
  text: `INSERT INTO include_uses (account, include, kind, user_id) SELECT $1, used, $2, $3 FROM unnest($4::text[]) AS used`,
};
const holdStatement = {
  name: "includes_hold",
  text: "SELECT key FROM includes WHERE account = $1 AND key = ANY ($2::text[]) ORDER BY key FOR KEY SHARE",
};
const REACHED = `WITH RECURSIVE reached (root, key, depth) AS (
    SELECT key COLLATE "C", key COLLATE "C", 1 FROM unnest($2::text[]) AS key
    UNION
    SELECT r.root, u.include, r.depth + 1 FROM reached r
      JOIN include_uses u ON u.account = $1 AND u.kind = 'include' AND u.user_id = r.key
      WHERE r.depth < ${DEPTH_MAX}
  )`;
const reachedStatement = {
  name: "includes_reached",
  text: `${REACHED} SELECT root, key, max(depth) AS depth FROM reached GROUP BY root, key ORDER BY root, key`,
};
const contentsStatement = {
  name: "includes_contents",
  text: `${REACHED} SELECT key, content FROM includes WHERE account = $1 AND key IN (SELECT key FROM reached)`,
};
const heightStatement = {
  name: "includes_height",
  text: `WITH RECURSIVE users (key, height) AS (
      SELECT $2::text COLLATE "C", 0
      UNION
      SELECT u.user_id, r.height + 1 FROM users r
        JOIN include_uses u ON u.account = $1 AND u.include = r.key AND u.kind = 'include'
        WHERE r.height < ${DEPTH_MAX}
    )
    SELECT max(height) AS height FROM users`,
};
const accountLock = { name: "includes_account_lock", text: "SELECT pg_advisory_xact_lock($1::int, $2::int)" };

/** Held to the end of the transaction: no include of the account is written meanwhile, so no two writes make a cycle together. */
export async function lockIncludes(transaction: Transaction, account: number): Promise<void> {
  await transaction.query(accountLock, [LOCK_CLASS, account]);
}

/** The users of an include, as they were when it was locked. */
export function usersOfInclude(
  transaction: Transaction,
  { account, key }: { readonly account: number; readonly key: string },
  usersMax: number,
): Promise<IncludeUser[]> {
  return transaction.query(usesStatement, [account, key, usersMax]);
}

/** Holds includes until the transaction ends, so that none is deleted. @returns the keys that there are. */
export async function holdIncludes(
  transaction: Transaction,
  account: number,
  keys: readonly string[],
): Promise<string[]> {
  if (keys.length === 0) return [];
  const rows = await transaction.query<{ key: string }>(holdStatement, [account, textArray(keys, (key) => key)]);
  return rows.map(({ key }) => key);
}

/** Says which includes a user names: those alone, from now on. The includes must be held. */
export async function setIncludesUsed(
  transaction: Transaction,
  { account, kind, userId }: IncludeUser & { readonly account: number },
  keys: readonly string[],
): Promise<void> {
  await transaction.execute(deleteStatement, [account, kind, userId]);
  if (keys.length > 0) await transaction.execute(addStatement, [account, kind, userId, textArray(keys, (key) => key)]);
}

/** The includes that the named ones lead to, themselves included, each with its greatest depth. */
export async function reachIncludes(
  session: Session,
  account: number,
  keys: readonly string[],
): Promise<ReachedInclude[]> {
  if (keys.length === 0) return [];
  return session.query(reachedStatement, [account, textArray(keys, (key) => key)]);
}

/** Contents of the includes that the named ones lead to, by key. */
export async function readIncludeContents(
  session: Session,
  account: number,
  keys: readonly string[],
): Promise<{ readonly key: string; readonly content: string }[]> {
  if (keys.length === 0) return [];
  return session.query(contentsStatement, [account, textArray(keys, (key) => key)]);
}

/** Returns how many levels of includes stand above an include: 0 when no include uses it. */
export async function heightOfInclude(
  session: Session,
  { account, key }: { readonly account: number; readonly key: string },
): Promise<number> {
  const [row] = await session.query<{ height: number }>(heightStatement, [account, key]);
  return row?.height ?? 0;
}
