import type { Session, Transaction } from "@headwater/postgres/connection/session";

const noteStatement = {
  name: "attribute_changes_note",
  text: `INSERT INTO attribute_changes (account, changed_by) VALUES ($1, pg_current_xact_id())
    ON CONFLICT (account) DO UPDATE SET changed_by = EXCLUDED.changed_by`,
};
// A transaction that this snapshot does not see has a number from its xmin on: the next look begins there.
const readStatement = {
  name: "attribute_changes_read",
  text: `SELECT pg_snapshot_xmin(now.snapshot)::text AS "from", c.account, c.changed_by::text AS "changedBy"
    FROM (SELECT pg_current_snapshot() AS snapshot) now LEFT JOIN attribute_changes c ON c.changed_by >= $1::xid8`,
};

/** Notes, in the transaction that changes an account's definitions, that it did. */
export async function noteAttributeChange(transaction: Transaction, account: number): Promise<void> {
  await transaction.execute(noteStatement, [account]);
}

export interface AttributeChanges {
  /** Accounts that changed their definitions, each with what changes with every change; some may have been read before. */
  readonly accounts: ReadonlyMap<number, string>;
  /** Beginning of the next look: nothing that this one did not see lies before. */
  readonly next: string;
}

/** Reads whose definitions were changed. @param from `next` of an earlier look; default: since ever. */
export async function readAttributeChanges(session: Session, from = "0"): Promise<AttributeChanges> {
  const rows = await session.query<{ from: string; account: number | null; changedBy: string }>(readStatement, [from]);
  const accounts = rows.flatMap(({ account, changedBy }) => (account === null ? [] : [[account, changedBy] as const]));
  return { accounts: new Map(accounts), next: rows[0]?.from ?? from };
}
