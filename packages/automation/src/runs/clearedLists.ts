import { versionFromUuid } from "@headwater/contracts";
import type { Transaction } from "@headwater/postgres/connection/session";

/** A list that was emptied by one call, and whose members have yet to start runs by it. */
export interface ClearedList {
  readonly account: number;
  readonly list: number;
  /** Version of the clear, as Postgres writes it. */
  readonly uuid: string;
  /** The clear before it. */
  readonly formerUuid: string | null;
  /** Position in the outbox of the transaction that emptied it. */
  readonly position: number;
  /** Number of the last contact that was dealt with. */
  readonly cursor: number;
}

const claimStatement = {
  name: "cleared_lists_claim",
  text: `SELECT account, list, version AS uuid, former_version AS "formerUuid", position, cursor FROM cleared_lists
    ORDER BY position LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED`,
};
/** A page of the list by its key, of which members and the last row are answered: so no page reads more than it may. */
const pageStatement = {
  name: "cleared_lists_page",
  text: `SELECT contact, "isMember" FROM (
      SELECT contact, present AND version <= $3 AND ($4::uuid IS NULL OR version > $4) AS "isMember",
        lead(contact) OVER (ORDER BY contact) IS NULL AS "isLast"
      FROM (SELECT contact, present, version FROM memberships
        WHERE account = $1 AND list = $2 AND contact > $5 ORDER BY contact LIMIT $6) AS page
    ) AS rows WHERE "isMember" OR "isLast" ORDER BY contact`,
};
const membersStatement = {
  name: "cleared_members_take",
  text: `DELETE FROM cleared_members m USING (SELECT contact FROM cleared_members
      WHERE account = $1 AND list = $2 AND version = $3 ORDER BY contact LIMIT $4 FOR UPDATE) k
    WHERE m.account = $1 AND m.list = $2 AND m.version = $3 AND m.contact = k.contact RETURNING m.contact`,
};
const moveStatement = {
  name: "cleared_lists_move",
  text: "UPDATE cleared_lists SET cursor = $4 WHERE account = $1 AND list = $2 AND version = $3",
};
const deleteStatement = {
  name: "cleared_lists_delete",
  text: "DELETE FROM cleared_lists WHERE account = $1 AND list = $2 AND version = $3",
};
const deleteMembersStatement = {
  name: "cleared_members_delete",
  text: "DELETE FROM cleared_members WHERE account = $1 AND list = $2 AND version = $3",
};

/** Claims the oldest of these lists that nobody else works on. */
export async function claimClearedList(transaction: Transaction): Promise<ClearedList | undefined> {
  const [cleared] = await transaction.query<ClearedList>(claimStatement);
  return cleared;
}

export interface ClearedPage {
  readonly contacts: readonly number[];
  /** The last contact that was checked; undefined when there is none behind the cursor. */
  readonly last: number | undefined;
}

/** Reads the next members that a clear took, in order of their numbers. */
export async function readClearedPage(
  transaction: Transaction,
  { account, list, uuid, formerUuid, cursor }: ClearedList,
  rowsMax: number,
): Promise<ClearedPage> {
  const values = [account, list, uuid, formerUuid, cursor, rowsMax];
  const rows = await transaction.query<{ contact: number; isMember: boolean }>(pageStatement, values);
  return {
    contacts: rows.filter(({ isMember }) => isMember).map(({ contact }) => contact),
    last: rows.at(-1)?.contact,
  };
}

/** Takes members whose rows were written again, or deleted, before their turn. */
export async function takeClearedMembers(
  transaction: Transaction,
  { account, list, uuid }: ClearedList,
  membersMax: number,
): Promise<number[]> {
  const rows = await transaction.query<{ contact: number }>(membersStatement, [account, list, uuid, membersMax]);
  return rows.map(({ contact }) => contact);
}

/** Notes how far the members of a list are. */
export async function moveClearedList(
  transaction: Transaction,
  { account, list, uuid }: ClearedList,
  cursor: number,
): Promise<void> {
  await transaction.execute(moveStatement, [account, list, uuid, cursor]);
}

/** Ends a list whose members have all started what they start. */
export async function deleteClearedList(transaction: Transaction, { account, list, uuid }: ClearedList): Promise<void> {
  await transaction.execute(deleteStatement, [account, list, uuid]);
  await transaction.execute(deleteMembersStatement, [account, list, uuid]);
}

/** Returns the version of the clear as change events have it. */
export function versionOfClear({ uuid }: ClearedList) {
  return versionFromUuid(uuid);
}
