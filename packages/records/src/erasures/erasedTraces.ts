import { textArray } from "@headwater/postgres/connection/arrays";
import type { Session, Transaction } from "@headwater/postgres/connection/session";

/** Identifiers of somebody who was erased, whose traces are searched for in texts of others. */
export interface TracesOf {
  readonly account: number;
  /** Pattern of JSON texts that name the person (a regular expression of Postgres, case does not count). */
  readonly json: string;
  /** Pattern of paths of calls that name the person. */
  readonly path: string;
  /** The cut-off: what was written later is about somebody else, or about the person's new life. */
  readonly version: string;
  /** Milliseconds since 1970: the same for what has no version. */
  readonly until: number;
}

const REJECTS_AT_A_TIME = 2_000;

/** Rows stay, without what was in them: each is still counted, and the hour still balances. */
const rejectsStatement = {
  name: "erased_traces_rejects",
  text: `WITH page AS (SELECT record_id FROM rejects WHERE account = $1 AND record_id > $2 ORDER BY record_id LIMIT $3 FOR UPDATE),
    scrubbed AS (
      UPDATE rejects j SET payload = '{}', path = '', message = 'It was about a contact that was erased.', due_at = NULL,
        status = CASE WHEN status IN ('open', 'parked') THEN 'discarded' ELSE status END,
        closed_at = COALESCE(closed_at, CASE WHEN status IN ('open', 'parked') THEN $5::bigint END),
        history = jsonb_build_array(jsonb_build_object('at', $5::bigint, 'what', 'erased'))
      FROM page WHERE j.account = $1 AND j.record_id = page.record_id AND j.version <= $6
        AND (j.payload::text ~* $4 OR j.history::text ~* $4)
      RETURNING j.record_id)
    SELECT (SELECT max(record_id) FROM page) AS last, (SELECT count(*) FROM scrubbed) AS scrubbed`,
};
const otherStatements = [
  {
    name: "erased_traces_job_rejections",
    // A redrive names the letter that it refused: that one was emptied before.
    text: `DELETE FROM job_rejections r WHERE account = $1 AND created_at <= $3 AND (record::text ~* $2
      OR EXISTS (SELECT FROM rejects j WHERE j.account = $1 AND j.record_id = r.record->>'letter' AND j.history @> '[{"what":"erased"}]'))`,
  },
  {
    name: "erased_traces_redrives",
    text: "UPDATE redrives SET patch = NULL WHERE account = $1 AND patch::text ~* $2 AND created_at <= $3",
  },
] as const;
const idempotencyStatement = {
  name: "erased_traces_idempotency",
  text: `DELETE FROM intake.idempotency WHERE account = $1 AND (route ~* $4 OR answer::text ~* $2)
    AND created_at <= to_timestamp($3::bigint / 1000.0)`,
};
/** Orders are called by their ids. */
const orderPathsStatement = {
  name: "erased_traces_order_paths",
  text: `DELETE FROM intake.idempotency WHERE account = $1 AND (
      substring(route FROM '^[A-Z]+ /v2/orders/([^/?]+)$') = ANY ($2::text[]) OR answer #>> '{kept,orderID}' = ANY ($3::text[]))`,
};
const entriesStatement = {
  name: "erased_traces_entries",
  text: `DELETE FROM supplement_index_entries e USING unnest($2::int[], $3::text[]) AS r (supplement, id)
    WHERE e.account = $1 AND e.supplement = r.supplement AND e.id = r.id`,
};
const filesStatement = {
  name: "erased_traces_files",
  text: `SELECT f.id, f.name, f.job FROM files f JOIN jobs j ON j.id = f.job
    WHERE f.account = $1 AND j.name = 'ExportContactProfile' AND j.input->>'contact' = ANY ($2::text[])`,
};
const setInputStatement = { name: "erased_traces_input", text: "UPDATE jobs SET input = $2 WHERE id = $1" };

/** Empties refused records about the person, of the next ones in order of id. */
export async function scrubRejects(
  transaction: Transaction,
  { account, json, version }: TracesOf,
  { after, at }: { readonly after: string; readonly at: number },
): Promise<{ readonly last: string | null; readonly scrubbed: number }> {
  const values = [account, after, REJECTS_AT_A_TIME, json, at, version];
  const [row] = await transaction.query<{ last: string | null; scrubbed: number }>(rejectsStatement, values);
  return row ?? { last: null, scrubbed: 0 };
}

/** Answers that are kept for repeats, rows that jobs refused, patches of redrives. */
export async function scrubOthers(transaction: Transaction, traces: TracesOf): Promise<void> {
  const { account, json, path, until } = traces;
  for (const statement of otherStatements) await transaction.execute(statement, [account, json, until]);
  await transaction.execute(idempotencyStatement, [account, json, until, path]);
}

/** Answers that are kept for repeats of calls about orders that were the person's. */
export async function scrubOrderPaths(
  transaction: Transaction,
  { account, orders }: { readonly account: number; readonly orders: readonly string[] },
): Promise<void> {
  if (orders.length === 0) return;
  const inPaths = textArray(orders, encodeURIComponent);
  await transaction.execute(orderPathsStatement, [account, inPaths, textArray(orders, (id) => id)]);
}

/** Entries of indexes that records of the person had. */
export async function deleteEntriesOf(
  transaction: Transaction,
  account: number,
  records: readonly (readonly [number, string])[],
): Promise<void> {
  if (records.length === 0) return;
  const supplements = `{${records.map(([supplement]) => supplement).join(",")}}`;
  await transaction.execute(entriesStatement, [account, supplements, textArray(records, ([, id]) => id)]);
}

/** A file that is kept, and the id of the job that wrote it. */
interface FileAbout {
  readonly id: string;
  readonly name: string;
  readonly job: string;
}

/** Returns the profiles of the person that were written for download. */
export function filesAbout(session: Session, account: number, cids: readonly string[]): Promise<FileAbout[]> {
  return session.query<FileAbout>(filesStatement, [account, textArray(cids, (cid) => cid)]);
}

const profilesSentStatement = {
  name: "erasure_profiles_sent",
  text: `SELECT id FROM jobs WHERE account = $1 AND name = 'ExportContactProfile'
    AND input->>'contact' = ANY ($2::text[]) AND input->'destination' IS NOT NULL ORDER BY id`,
};

/** Returns the ids of jobs that wrote the profile of one of the contacts to a storage outside. */
export async function profilesSent(session: Session, account: number, cids: readonly string[]): Promise<string[]> {
  const rows = await session.query<{ id: string }>(profilesSentStatement, [account, textArray(cids, (cid) => cid)]);
  return rows.map(({ id }) => id);
}

/** An erasure learns of more addresses on its way; one that is done does not know whom it was about. */
export async function setJobInput(transaction: Transaction, jobId: string, input: object): Promise<void> {
  await transaction.execute(setInputStatement, [jobId, JSON.stringify(input)]);
}
