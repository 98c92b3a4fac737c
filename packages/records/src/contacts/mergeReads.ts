import type { Session } from "@headwater/postgres/connection/session";

/** A merge as it is shown: `before` is the text of its document. */
export interface MergeOfContact {
  readonly survivor: number;
  readonly merged: number;
  readonly survivorCid: string;
  readonly mergedCid: string;
  readonly version: string;
  readonly byRecord: string;
  /** Null while it stands. */
  readonly undoneVersion: string | null;
  readonly undoneBy: string | null;
  readonly before: string;
}

const mergesStatement = {
  name: "merges_of_contact",
  text: `SELECT m.survivor, m.merged, s.cid AS "survivorCid", d.cid AS "mergedCid", m.version, m.by_record AS "byRecord",
      m.undone_version AS "undoneVersion", m.undone_by AS "undoneBy", m.before::text AS before
    FROM (
      SELECT * FROM merges WHERE account = $1 AND survivor = $2 UNION ALL SELECT * FROM merges WHERE account = $1 AND merged = $2
    ) m JOIN contacts s ON s.account = m.account AND s.number = m.survivor JOIN contacts d ON d.account = m.account AND d.number = m.merged
    ORDER BY m.version DESC, m.merged LIMIT $3`,
};

/** Merges a contact took part in, those that were undone too, the latest first. */
export function readMergesOfContact(
  session: Session,
  account: number,
  { contact, rowsMax }: { readonly contact: number; readonly rowsMax: number },
): Promise<MergeOfContact[]> {
  return session.query(mergesStatement, [account, contact, rowsMax]);
}
