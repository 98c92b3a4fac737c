import { plainArray } from "@headwater/postgres/connection/arrays";
import type { Session } from "@headwater/postgres/connection/session";
import { isThere, type ReadTable, type SupplementRecordView } from "./supplementReads.ts";

export interface NewestRecordsAsked {
  /** Numbers of live contacts. */
  readonly contacts: readonly number[];
  /** Bounds for each contact. */
  readonly rowsMax: number;
  readonly bytesMax: number;
}

const newestStatement = {
  name: "supplement_records_newest_of_contacts",
  text: `SELECT k.contact AS person, n.*, c.cid
    FROM unnest($3::bigint[]) AS k (contact) JOIN contacts c ON c.account = $1 AND c.number = k.contact
    CROSS JOIN LATERAL (
      SELECT f.*, sum(octet_length(f.doc)) OVER (ORDER BY f."modifiedAt" DESC, f.id) AS bytes FROM (
        SELECT r.account, r.supplement, r.id, r.contact, r.created_at AS "createdAt", r.modified_at AS "modifiedAt", r.version,
          r.deleted_version AS "deletedVersion", r.doc, '' AS key
        FROM supplement_records r
        WHERE r.account = $1 AND r.supplement = $2 AND ${isThere("$4")} AND r.contact IN (
          SELECT k.contact UNION ALL SELECT m.number FROM contacts m WHERE m.account = $1 AND m.merged_into = k.contact)
        ORDER BY r.modified_at DESC, r.id LIMIT $5
      ) f
    ) n WHERE n.bytes <= $6::bigint ORDER BY k.contact, n."modifiedAt" DESC, n.id`,
};

interface PersonsRecord extends SupplementRecordView {
  /** Number of the live contact. */
  readonly person: number;
}

/** Returns the records of each contact that were written last, those first. What is past the bounds is left out. */
export function newestRecordsOf(
  session: Session,
  { account, supplement, clearedVersion }: ReadTable,
  { contacts, rowsMax, bytesMax }: NewestRecordsAsked,
): Promise<PersonsRecord[]> {
  const numbers = plainArray(contacts, (one) => one);
  const values = [account, supplement, numbers, clearedVersion, rowsMax, bytesMax];
  return session.query<PersonsRecord & { readonly bytes: number }>(newestStatement, values);
}
