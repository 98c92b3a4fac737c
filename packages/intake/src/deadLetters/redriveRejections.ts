import { insertJobRejections } from "@headwater/jobs/queue/jobRejections";
import { bothWays, type Direction } from "@headwater/postgres/connection/bothWays";
import type { Session, Transaction } from "@headwater/postgres/connection/session";

/** Position of a rejection in the list of its redrive: dead letters that validation refused come first (0), then rejected records (1). */
export type RedriveRejectionPosition = readonly [kind: number, index: number];

/** A letter that a redrive could not write, or a record that it wrote and that was rejected again. */
export interface RedriveRejection {
  readonly kind: number;
  /** Position among those of its kind; of a record: its position in the redrive, as its receipt says it. */
  readonly index: number;
  readonly code: string;
  readonly message: string;
  /** JSON pointer into the item; may be empty. */
  readonly path: string;
  /** The dead letter that stands for it now. */
  readonly recordId: string;
  /** The dead letter that it was written for; null for one that was not written. */
  readonly redriveOf: string | null;
  readonly operation: string;
  /** JSON text of the record. */
  readonly payload: string;
}

export interface RedriveRejectionsPage {
  readonly account: number;
  readonly redrive: string;
  readonly direction: Direction;
  readonly after?: RedriveRejectionPosition;
  readonly skip: number;
  readonly rowsMax: number;
}

// Refused dead letters are named, not copied: what they hold stands in their row alone, and goes with it.
const REFUSED = `FROM job_rejections r JOIN rejects j ON j.account = r.account AND j.record_id = r.record->>'letter'
    WHERE r.account = $1 AND r.job = $2 AND j.history @> jsonb_build_array(jsonb_build_object('what', 'refused', 'by', $2::text))`;
const REJECTED_AGAIN = `FROM rejects j WHERE j.account = $1 AND j.request_id = $2 AND j.status IN ('open', 'redriven', 'discarded')`;

const pageStatements = bothWays((direction, isBeyond) => ({
  name: `redrive_rejections_page_${direction}`,
  text: `SELECT * FROM (
      (SELECT 0 AS kind, r.index, r.code, r.message, COALESCE(r.path, '') AS path, j.record_id AS "recordId", NULL AS "redriveOf",
        j.operation, j.payload ${REFUSED} AND (0, r.index) ${isBeyond} ($3::int, $4::bigint)
        ORDER BY r.index ${direction} LIMIT $5::int + $6::int)
      UNION ALL
      (SELECT 1, j.item_index::bigint, j.code, j.message, j.path, j.record_id, j.redrive_of, j.operation, j.payload
        ${REJECTED_AGAIN} AND (1, j.item_index) ${isBeyond} ($3::int, $4::bigint)
        ORDER BY j.item_index ${direction} LIMIT $5::int + $6::int)) f
    ORDER BY kind ${direction}, index ${direction} LIMIT $5::int OFFSET $6::int`,
}));
const countStatement = {
  name: "redrive_rejections_count",
  text: `SELECT (SELECT count(*) ${REFUSED}) + (SELECT count(*) ${REJECTED_AGAIN}) AS count`,
};
/** Positions before all others, and behind them. */
const ENDS = { asc: [-1, -1], desc: [2, 0] } as const;

/** Returns a page of what a redrive could not redrive, in order of the positions. */
export function pageRedriveRejections(session: Session, page: RedriveRejectionsPage): Promise<RedriveRejection[]> {
  const { account, redrive, direction, after = ENDS[direction], rowsMax, skip } = page;
  const [kind, index] = after;
  return session.query(pageStatements[direction], [account, redrive, kind, index, rowsMax, skip]);
}

export async function countRedriveRejections(session: Session, account: number, redrive: string): Promise<number> {
  const [row] = await session.query<{ count: number }>(countStatement, [account, redrive]);
  return row?.count ?? 0;
}

export interface DeadLetterRefusal {
  readonly recordId: string;
  readonly code: string;
  readonly message: string;
  /** JSON pointer into the item; may be empty. */
  readonly path: string;
}

/** A redrive before these dead letters were refused. */
export interface RefusingRedrive {
  readonly id: string;
  readonly account: number;
  readonly taken: number;
  readonly refused: number;
}

/** Lists dead letters that validation refused among the rejections of their redrive. They are kept for as long as those of other jobs. */
export async function insertRefusals(
  transaction: Transaction,
  { id, account, taken, refused }: RefusingRedrive,
  { refusals, at }: { readonly refusals: readonly DeadLetterRefusal[]; readonly at: number },
): Promise<void> {
  const rows = refusals.map(({ recordId, ...why }, position) => ({
    ...why,
    index: taken + refused + position,
    record: { letter: recordId },
  }));
  await insertJobRejections(transaction, { job: id, account, at }, rows);
}
