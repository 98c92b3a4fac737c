import { textArray } from "@headwater/postgres/connection/arrays";
import { createConditions } from "@headwater/postgres/connection/conditions";
import { type NamedPage, namedPageText } from "@headwater/postgres/connection/namedPage";
import type { Session, Transaction } from "@headwater/postgres/connection/session";

/** Members of a transport as they are stored. */
export interface TransportMembers {
  readonly name: string;
  readonly channel: string;
  readonly type: "smtp" | "http" | "log";
  /** JSON text; secrets are sealed. */
  readonly settings: string;
  readonly isDefault: boolean;
  readonly enabled: boolean;
}

interface TransportKey {
  readonly account: number;
  /** 24 hex characters. */
  readonly id: string;
}

export interface StoredTransport extends TransportKey, TransportMembers {
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly updatedAt: number;
}

const COLUMNS = `account, id, name, channel, type, settings, is_default AS "isDefault", enabled,
  created_at AS "createdAt", updated_at AS "updatedAt"`;
const insertStatement = {
  name: "transports_insert",
  text: `INSERT INTO transports (account, id, name, channel, type, settings, is_default, enabled, created_at, updated_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9)`,
};
const readStatement = {
  name: "transports_read",
  text: `SELECT ${COLUMNS} FROM transports WHERE account = $1 AND id = $2`,
};
const findStatement = { name: "transports_find", text: `SELECT ${COLUMNS} FROM transports WHERE id = $1` };
const defaultStatement = {
  name: "transports_default",
  text: `SELECT ${COLUMNS} FROM transports WHERE account = $1 AND channel = $2 AND is_default`,
};
const lockStatement = { name: "transports_lock", text: `${readStatement.text} FOR UPDATE` };
const shareStatement = {
  name: "transports_share",
  text: `SELECT id, updated_at AS "updatedAt" FROM transports WHERE account = $1 AND id = ANY($2::text[]) ORDER BY id FOR SHARE`,
};
const updateStatement = {
  name: "transports_update",
  text: `UPDATE transports SET name = $3, settings = $4, is_default = $5, enabled = $6, updated_at = $7
    WHERE account = $1 AND id = $2`,
};
const otherDefaultStatement = {
  name: "transports_other_default",
  text: `UPDATE transports SET is_default = false, updated_at = $4
    WHERE account = $1 AND channel = $2 AND is_default AND id <> $3`,
};
const nameStatement = {
  name: "transports_name",
  text: "SELECT id FROM transports WHERE account = $1 AND name = $2 AND id <> $3",
};
const deleteStatement = { name: "transports_delete", text: "DELETE FROM transports WHERE account = $1 AND id = $2" };
const deletePaceStatement = {
  name: "transports_delete_pace",
  text: "DELETE FROM pace WHERE account = $1 AND transport = $2",
};
/** A class of advisory locks of its own. */
const LOCK_CLASS = 7_238_411;
const accountLock = { name: "transports_account_lock", text: "SELECT pg_advisory_xact_lock($1::int, $2::int)" };

/** Held to the end of the transaction: no transport of the account is written meanwhile, so a name and a default have one holder. */
export async function lockTransports(transaction: Transaction, account: number): Promise<void> {
  await transaction.query(accountLock, [LOCK_CLASS, account]);
}

/** Returns true when another transport has the name. Under `lockTransports` alone. */
export async function isTransportNameTaken(
  transaction: Transaction,
  { account, id }: TransportKey,
  name: string,
): Promise<boolean> {
  return (await transaction.query(nameStatement, [account, name, id])).length > 0;
}

/** Stores a transport; a default one takes the place of the channel's former default. Under `lockTransports` alone. */
export async function insertTransport(
  transaction: Transaction,
  transport: TransportKey & TransportMembers,
  nowMs: number,
): Promise<void> {
  const { account, id, name, channel, type, settings, isDefault, enabled } = transport;
  if (isDefault) await transaction.execute(otherDefaultStatement, [account, channel, id, nowMs]);
  const values = [account, id, name, channel, type, settings, isDefault, enabled, nowMs];
  await transaction.execute(insertStatement, values);
}

export async function readTransport(
  session: Session,
  account: number,
  id: string,
): Promise<StoredTransport | undefined> {
  const [row] = await session.query<StoredTransport>(readStatement, [account, id]);
  return row;
}

/** Reads when transports were changed last, by id. Nobody changes them until the transaction ends. */
export async function shareTransports(
  transaction: Transaction,
  account: number,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await transaction.query<{ id: string; updatedAt: number }>(shareStatement, [
    account,
    textArray(ids, (id) => id),
  ]);
  return new Map(rows.map(({ id, updatedAt }) => [id, updatedAt]));
}

/** Returns a transport of whatever account, for a caller who has proved that it is meant. */
export async function findTransport(session: Session, id: string): Promise<StoredTransport | undefined> {
  const [row] = await session.query<StoredTransport>(findStatement, [id]);
  return row;
}

/** Returns the transport of messages of a channel that name none. */
export async function readDefaultTransport(
  session: Session,
  account: number,
  channel: string,
): Promise<StoredTransport | undefined> {
  const [row] = await session.query<StoredTransport>(defaultStatement, [account, channel]);
  return row;
}

/** Locked until the transaction ends: nobody changes it, and no template begins to use it. */
export async function lockTransport(
  transaction: Transaction,
  account: number,
  id: string,
): Promise<StoredTransport | undefined> {
  const [row] = await transaction.query<StoredTransport>(lockStatement, [account, id]);
  return row;
}

/** Channel and type stay as they are. Under `lockTransports` alone. */
export async function updateTransport(
  transaction: Transaction,
  { account, id, name, channel, settings, isDefault, enabled }: TransportKey & TransportMembers,
  nowMs: number,
): Promise<void> {
  if (isDefault) await transaction.execute(otherDefaultStatement, [account, channel, id, nowMs]);
  await transaction.execute(updateStatement, [account, id, name, settings, isDefault, enabled, nowMs]);
}

export async function deleteTransport(transaction: Transaction, { account, id }: TransportKey): Promise<void> {
  await transaction.execute(deleteStatement, [account, id]);
  await transaction.execute(deletePaceStatement, [account, id]);
}

export interface TransportsPage extends Omit<NamedPage, "sortBy" | "after"> {
  readonly account: number;
  readonly channel?: string;
  readonly sortBy: "ct" | "name";
  /** The last one of the page before. */
  readonly after?: { readonly ct: number; readonly name: string; readonly id: string };
}

/** Lists in order of (time of creation, id), or of (name, id). */
export function pageTransports(session: Session, page: TransportsPage): Promise<StoredTransport[]> {
  const where = filters(page);
  const { sortBy, direction, after, skip, rowsMax } = page;
  const last = after === undefined ? {} : { after: { createdAt: after.ct, name: after.name, id: after.id } };
  const sorted = { sortBy: sortBy === "ct" ? "createdAt" : sortBy, direction, skip, rowsMax, ...last } as const;
  const text = namedPageText(where, sorted, { table: "transports", columns: COLUMNS });
  return session.query({ text }, where.values);
}

export async function countTransports(
  session: Session,
  page: Pick<TransportsPage, "account" | "channel">,
): Promise<number> {
  const where = filters(page);
  const text = `SELECT count(*) AS count FROM transports WHERE ${where.text()}`;
  const [row] = await session.query<{ count: number }>({ text }, where.values);
  return row?.count ?? 0;
}

function filters({ account, channel }: Pick<TransportsPage, "account" | "channel">) {
  const where = createConditions();
  where.add(`account = ${where.bind(account)}`);
  if (channel !== undefined) where.add(`channel = ${where.bind(channel)}`);
  return where;
}
