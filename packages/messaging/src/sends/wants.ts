import { plainArray, textArray } from "@headwater/postgres/connection/arrays";
import type { Session, Transaction } from "@headwater/postgres/connection/session";

/** A call that wants sends of a template, or a test of a batch message. */
export interface SendWant {
  readonly account: number;
  /** 24 hex characters. */
  readonly id: string;
  /** Key of the template; null for a test of a batch message. */
  readonly template: string | null;
  /** JSON text of the batch message that is tested, as it stood at the call. */
  readonly frozen: string | null;
  /** The draft is sent, as a test. */
  readonly isDraft: boolean;
  /** JSON text. */
  readonly mergeData: string;
  /** JSON text; null also where they do not fit. */
  readonly attachments: string | null;
  /** JSON text of the activity that it is for. */
  readonly event: string | null;
}

/** A want as it is read, with those of the others. */
export interface ReadWant extends SendWant {
  /** Its attachments do not fit: it is read again later. */
  readonly isTooMuch: boolean;
}

/** A want of a template's published content without attachments. */
export type PlainWant = Omit<SendWant, "frozen" | "attachments" | "isDraft">;

const insertStatement = {
  name: "send_wants_insert",
  text: `INSERT INTO send_wants (account, id, template, is_draft, merge_data, attachments, created_at, frozen, event)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
};
const insertManyStatement = {
  name: "send_wants_insert_many",
  text: `INSERT INTO send_wants (account, id, template, is_draft, merge_data, created_at, event)
    SELECT account, id, template, false, merge_data, $6, event
      FROM unnest($1::int[], $2::text[], $3::text[], $4::text[], $5::text[])
        AS r (account, id, template, merge_data, event)`,
};
const readStatement = {
  name: "send_wants_read",
  text: `SELECT account, id, template, is_draft AS "isDraft", merge_data AS "mergeData", frozen, event,
      CASE WHEN bytes <= $3 THEN attachments END AS attachments, bytes > $3 AND attachments IS NOT NULL AS "isTooMuch"
    FROM (SELECT *, sum(COALESCE(octet_length(attachments), 0)) OVER (ORDER BY id ROWS UNBOUNDED PRECEDING) AS bytes
      FROM send_wants WHERE account = $1 AND id = ANY ($2::text[])) w`,
};
/** A call's sends begin in its transaction: a row that is older and has none that is open is over. */
const deleteStatement = {
  name: "send_wants_delete_done",
  text: `DELETE FROM send_wants w WHERE (account, id) IN (
      SELECT account, id FROM send_wants d WHERE created_at < $1 AND NOT EXISTS (
        SELECT FROM sends s WHERE s.account = d.account AND s.want = d.id AND s.state IN ('pending', 'sending', 'deferred'))
      ORDER BY created_at LIMIT $2 FOR UPDATE SKIP LOCKED)`,
};

export async function insertWant(transaction: Transaction, want: SendWant, nowMs: number): Promise<void> {
  const { account, id, template, isDraft, mergeData, attachments, frozen, event } = want;
  const values = [account, id, template, isDraft, mergeData, attachments, nowMs, frozen, event];
  await transaction.execute(insertStatement, values);
}

export async function insertWants(transaction: Transaction, wants: readonly PlainWant[], nowMs: number): Promise<void> {
  if (wants.length === 0) return;
  await transaction.execute(insertManyStatement, [
    plainArray(wants, ({ account }) => account),
    textArray(wants, ({ id }) => id),
    textArray(wants, ({ template }) => template),
    textArray(wants, ({ mergeData }) => mergeData),
    textArray(wants, ({ event }) => event),
    nowMs,
  ]);
}

/** Reads calls, with attachments of at most `attachmentBytesMax` together: those of the others are too much. */
export async function readWants(
  session: Session,
  account: number,
  { ids, attachmentBytesMax }: { readonly ids: readonly string[]; readonly attachmentBytesMax: number },
): Promise<ReadWant[]> {
  return ids.length === 0
    ? []
    : session.query(readStatement, [account, textArray(ids, (id) => id), attachmentBytesMax]);
}

/** Deletes calls from before a time whose sends have all ended. @returns how many. */
export function deleteDoneWants(
  session: Session,
  { before, rowsMax }: { readonly before: number; readonly rowsMax: number },
): Promise<number> {
  return session.execute(deleteStatement, [before, rowsMax]);
}
