import { transportTypes } from "@headwater/contracts";
import { textArray } from "@headwater/postgres/connection/arrays";
import { createResourceTable, type RowName, type RowOf } from "@headwater/postgres/connection/resourceTable";
import type { Session, Transaction } from "@headwater/postgres/connection/session";

/** Transports, in order of (time of creation, id) or of (name, id). */
export const transports = createResourceTable({
  name: "transports",
  key: "id",
  members: {
    name: "text",
    channel: "text",
    type: transportTypes,
    /** JSON text; secrets are sealed. */
    settings: "text",
    isDefault: "boolean",
    enabled: "boolean",
  },
});

export type StoredTransport = RowOf<typeof transports>;

const COLUMNS = `account, id, name, channel, type, settings, is_default AS "isDefault", enabled,
  created_at AS "createdAt", updated_at AS "updatedAt"`;
const findStatement = { name: "transports_find", text: `SELECT ${COLUMNS} FROM transports WHERE id = $1` };
const defaultStatement = {
  name: "transports_default",
  text: `SELECT ${COLUMNS} FROM transports WHERE account = $1 AND channel = $2 AND is_default`,
};
const shareStatement = {
  name: "transports_share",
  text: `SELECT id, updated_at AS "updatedAt" FROM transports WHERE account = $1 AND id = ANY($2::text[]) ORDER BY id FOR SHARE`,
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
const deletePaceStatement = {
  name: "transports_delete_pace",
  text: "DELETE FROM pace WHERE account = $1 AND transport = $2",
};
/** A class of advisory locks of its own. */
const LOCK_CLASS = 7_238_411;
const accountLock = { name: "transports_account_lock", text: "SELECT pg_advisory_xact_lock($1::int, $2::int)" };

/** Held to the end of the transaction: no transport of the account is written until then, so a name and a default have one holder. */
export async function lockTransports(transaction: Transaction, account: number): Promise<void> {
  await transaction.query(accountLock, [LOCK_CLASS, account]);
}

/** Returns true when another transport has the name. Under `lockTransports` alone. */
export async function isNameTaken(transaction: Transaction, { account, key }: RowName, name: string): Promise<boolean> {
  return (await transaction.query(nameStatement, [account, name, key])).length > 0;
}

/** Lets no other transport be the default of a channel. Under `lockTransports` alone. */
export async function clearOtherDefault(
  transaction: Transaction,
  { account, key }: RowName,
  { channel, nowMs }: { readonly channel: string; readonly nowMs: number },
): Promise<void> {
  await transaction.execute(otherDefaultStatement, [account, channel, key, nowMs]);
}

/** Deletes what is counted of the rates of a transport. */
export async function deletePace(transaction: Transaction, { account, id }: StoredTransport): Promise<void> {
  await transaction.execute(deletePaceStatement, [account, id]);
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
