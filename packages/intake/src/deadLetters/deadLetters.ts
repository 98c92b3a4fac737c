import type { RejectKey, RejectRow, RejectStatus } from "@headwater/contracts";
import { textArray } from "@headwater/postgres/connection/arrays";
import { type Conditions, createConditions } from "@headwater/postgres/connection/conditions";
import { postgresFailure } from "@headwater/postgres/connection/failures";
import type { Postgres } from "@headwater/postgres/connection/postgres";
import type { Session, Transaction } from "@headwater/postgres/connection/session";

/** Selects the refused records that fit all members given. */
export interface DeadLetterFilters {
  /** 0 = the bucket of messages whose account cannot be known. */
  readonly account: number;
  readonly statuses: readonly RejectStatus[];
  readonly ids?: readonly string[] | undefined;
  readonly operation?: string | undefined;
  readonly code?: string | undefined;
  /** Bounds of the time of rejection in milliseconds since 1970: from included, to excluded. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

export interface DeadLetterLine {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly what: string;
  readonly code?: string;
  readonly reason?: string;
  /** Key or redrive; absent = Headwater itself. */
  readonly by?: string;
}

/** A refused record as it is shown. */
export interface DeadLetter
  extends Omit<RejectRow, "itemIndex" | "attempts" | "dueAt" | "redriveOf" | "quarantinedBy"> {
  /** The record was a redrive of this one. */
  readonly redriveOf: string | null;
  /** The redrive that took it, and its position in that. */
  readonly redrive: string | null;
  readonly redriveIndex: number | null;
  readonly history: readonly DeadLetterLine[];
  /** The group that could not write it after it was applied. */
  readonly quarantinedBy?: string | null;
}

export interface DeadLettersPage extends DeadLetterFilters {
  readonly direction: "asc" | "desc";
  /** The last one of the page before. */
  readonly after?: { readonly rejectedAt: number; readonly recordId: string };
  readonly skip?: number;
  readonly rowsMax: number;
}

export const deadLetterColumns = `j.account, j.record_id AS "recordId", j.request_id AS "requestId", j.operation, j.topic, j.partition,
  j.log_offset AS "logOffset", j.place, j.status, j.code, j.path, j.message, j.payload, j.version, j.received_at AS "receivedAt",
  j.rejected_at AS "rejectedAt", j.redrive_of AS "redriveOf", j.redrive, j.redrive_index AS "redriveIndex", j.history, j.quarantined_by AS "quarantinedBy"`;

/**
 * Returns a page in order of (time of rejection, record id). It is found in an index alone, status by status, and only its own rows are
 * fetched.
 */
export function pageDeadLetters(session: Session, page: DeadLettersPage): Promise<DeadLetter[]> {
  const where = createConditions();
  const order = page.direction === "asc" ? "ASC" : "DESC";
  const skip = page.skip ?? 0;
  const reach = where.bind(page.rowsMax + skip);
  const found = page.statuses.map((status) => {
    const conditions = conditionsOf({ ...page, statuses: [status] }, where);
    return `(SELECT account, record_id, rejected_at FROM rejects WHERE ${conditions}${beyond(page, where)}
      ORDER BY rejected_at ${order}, record_id ${order} LIMIT ${reach})`;
  });
  const text = `WITH page AS MATERIALIZED (
      SELECT account, record_id FROM (${found.join(" UNION ALL ")}) f ORDER BY rejected_at ${order}, record_id ${order}
      LIMIT ${where.bind(page.rowsMax)} OFFSET ${where.bind(skip)})
    SELECT ${deadLetterColumns} FROM page JOIN rejects j USING (account, record_id)
    ORDER BY j.rejected_at ${order}, j.record_id ${order}`;
  return session.query({ text }, where.values);
}

function beyond({ after, direction }: DeadLettersPage, where: Conditions): string {
  if (after === undefined) return "";
  const position = `(${where.bind(after.rejectedAt)}, ${where.bind(after.recordId)})`;
  return ` AND (rejected_at, record_id) ${direction === "asc" ? ">" : "<"} ${position}`;
}

const PAGE_ROWS = 200;

/** The open ones of a selection page by page, the oldest rejection first; at most `rowsMax` of them. */
export async function* openDeadLetters(
  session: Session,
  filters: Omit<DeadLetterFilters, "statuses">,
  rowsMax: number,
): AsyncGenerator<readonly DeadLetter[], void> {
  let after: DeadLettersPage["after"];
  for (let left = rowsMax; left > 0; left -= PAGE_ROWS) {
    const page = { direction: "asc" as const, rowsMax: Math.min(PAGE_ROWS, left), ...(after && { after }) };
    const deadLetters = await pageDeadLetters(session, { ...filters, statuses: ["open"], ...page });
    yield deadLetters;
    if (deadLetters.length < page.rowsMax) return;
    after = deadLetters.at(-1);
  }
}

const oneStatement = {
  name: "dead_letter_read",
  text: `SELECT ${deadLetterColumns} FROM rejects j WHERE account = $1 AND record_id = $2`,
};

export async function readDeadLetter(
  session: Session,
  { account, recordId }: RejectKey,
): Promise<DeadLetter | undefined> {
  const [row] = await session.query<DeadLetter>(oneStatement, [account, recordId]);
  return row;
}

/** A position in the order of versions. */
export interface DeadLetterPosition {
  readonly version: string;
  readonly recordId: string;
}

export const FIRST_POSITION: DeadLetterPosition = { version: "0".repeat(32), recordId: "" };

export interface TakenDeadLetters {
  readonly letters: readonly DeadLetter[];
  /** Position of the next ones; undefined at the end of the selection. */
  readonly next: DeadLetterPosition | undefined;
}

const lockOpenStatement = {
  name: "dead_letters_lock",
  text: `SELECT ${deadLetterColumns} FROM unnest($2::text[]) AS k (record_id) JOIN rejects j ON j.account = $1 AND j.record_id = k.record_id
    WHERE j.status = 'open' ORDER BY j.version, j.record_id FOR NO KEY UPDATE OF j`,
};

/**
 * Open ones of a selection behind a position, in the order their records had in the log, locked. All who take some lock them in
 * this order, so that nobody waits in a circle. One that was closed between look and lock is left out.
 */
export async function takeOpenDeadLetters(
  transaction: Transaction,
  filters: Omit<DeadLetterFilters, "statuses"> & { readonly notOfRequest?: string | undefined },
  { after, rowsMax }: { readonly after: DeadLetterPosition; readonly rowsMax: number },
): Promise<TakenDeadLetters> {
  const where = createConditions();
  where.add(conditionsOf({ ...filters, statuses: ["open"] }, where));
  where.add(`(version, record_id) > (${where.bind(after.version)}::uuid, ${where.bind(after.recordId)})`);
  if (filters.notOfRequest !== undefined) where.add(`request_id <> ${where.bind(filters.notOfRequest)}`);
  const text = `SELECT version, record_id AS "recordId" FROM rejects WHERE ${where.text()}
    ORDER BY version, record_id LIMIT ${where.bind(rowsMax)}`;
  const positions = await transaction.query<DeadLetterPosition>({ text }, where.values);
  const ids = textArray(positions, ({ recordId }) => recordId);
  const letters =
    positions.length === 0 ? [] : await transaction.query<DeadLetter>(lockOpenStatement, [filters.account, ids]);
  return { letters, next: positions.at(-1) };
}

export interface Discard {
  readonly reason: string;
  /** Key or person. */
  readonly by: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

const DISCARDED_AT_A_TIME = 5_000;
const discardStatement = {
  name: "dead_letters_discard",
  text: `UPDATE rejects j SET status = 'discarded', closed_at = $3,
      history = j.history || jsonb_build_object('at', $3::bigint, 'what', 'discarded', 'reason', $4::text, 'by', $5::text)
    FROM unnest($1::text[]) AS r (record_id) WHERE j.account = $2 AND j.record_id = r.record_id AND j.status = 'open'`,
};

/**
 * Closes the open ones of a selection, some thousands a transaction: what is closed stays so when the caller stops half-way.
 * @param signal ends it between two transactions. @returns how many were closed.
 */
export async function discardDeadLetters(
  postgres: Postgres,
  filters: Omit<DeadLetterFilters, "statuses">,
  { reason, by, at, signal }: Discard & { readonly signal?: AbortSignal | undefined },
): Promise<number> {
  let discarded = 0;
  let place: DeadLetterPosition | undefined = FIRST_POSITION;
  while (place !== undefined && signal?.aborted !== true) {
    const after: DeadLetterPosition = place;
    const closed = await untilUncontested(() =>
      postgres.transaction(async (transaction) => {
        const page = { after, rowsMax: DISCARDED_AT_A_TIME };
        const { letters, next } = await takeOpenDeadLetters(transaction, filters, page);
        const ids = textArray(letters, ({ recordId }) => recordId);
        const values = [ids, filters.account, at, reason, by];
        return { next, count: await transaction.execute(discardStatement, values) };
      }),
    );
    discarded += closed.count;
    place = closed.next;
  }
  return discarded;
}

const CONFLICTS_MAX = 5;

/** Batches of the projector count the same causes: one of two that wait for each other is begun again. */
async function untilUncontested<Result>(run: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run();
    } catch (error) {
      if (attempt === CONFLICTS_MAX || postgresFailure(error) !== "conflict") throw error;
    }
  }
}

/** @returns the conditions as text; their values are bound to `where`. */
export function conditionsOf(filters: DeadLetterFilters, where: Conditions): string {
  const { account, statuses, ids, operation, code, from, to } = filters;
  const list = (values: readonly string[]) => where.bind(textArray(values, (value) => value));
  const [first = "open", ...others] = statuses;
  const parts = [`account = ${where.bind(account)}`];
  // One status is an equality: the index is read in its order.
  parts.push(others.length === 0 ? `status = ${where.bind(first)}` : `status = ANY (${list(statuses)}::text[])`);
  if (ids !== undefined) parts.push(`record_id = ANY (${list(ids)}::text[])`);
  if (operation !== undefined) parts.push(`operation = ${where.bind(operation)}`);
  if (code !== undefined) parts.push(`code = ${where.bind(code)}`);
  if (from !== undefined) parts.push(`rejected_at >= ${where.bind(from)}`);
  if (to !== undefined) parts.push(`rejected_at < ${where.bind(to)}`);
  return parts.join(" AND ");
}
