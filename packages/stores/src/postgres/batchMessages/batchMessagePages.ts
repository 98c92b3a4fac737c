import type { BatchMessageStatus } from "@headwater/domain/batchMessage";
import { textArray } from "../connection/arrays.ts";
import { createConditions } from "../connection/conditions.ts";
import type { Session } from "../connection/session.ts";
import { BATCH_MESSAGE_COLUMNS, type StoredBatchMessage, ZONES_LEFT } from "./batchMessages.ts";

/** Milliseconds since 1970; `from` is included, `to` is not. */
interface Times {
  readonly from?: number;
  readonly to?: number;
}

export interface BatchMessageFilters {
  readonly account: number;
  /** `tz-processing`: those that are being sent zone by zone. */
  readonly status?: BatchMessageStatus | "tz-processing";
  /** Messages that have one of them. */
  readonly tags?: readonly string[];
  readonly created: Times;
  /** Time at which they start or were to start. */
  readonly sendTime: Times;
}

export interface BatchMessagesPage extends BatchMessageFilters {
  readonly direction: "asc" | "desc";
  /** The last one of the page before. */
  readonly after?: { readonly ct: number; readonly id: string };
  readonly skip: number;
  readonly rowsMax: number;
  /** Limit of the contents that are read; the first message's is read in any case. 0 reads none of them. */
  readonly contentBytesMax: number;
}

/** A message of a page; `hasContent` is false where the page has no room for its content. */
export type ListedBatchMessage = StoredBatchMessage & { readonly hasContent: boolean };

/** Lists in order of (time of creation, id). Contents beyond the bound stay where they are stored. */
export function pageBatchMessages(session: Session, page: BatchMessagesPage): Promise<ListedBatchMessage[]> {
  const where = filters(page);
  const isRising = page.direction === "asc";
  if (page.after !== undefined) {
    const last = `(${where.bind(page.after.ct)}, ${where.bind(page.after.id)})`;
    where.add(`(created_at, id) ${isRising ? ">" : "<"} ${last}`);
  }
  const order = isRising ? "created_at ASC, id ASC" : "created_at DESC, id DESC";
  const limits = `LIMIT ${where.bind(page.rowsMax)} OFFSET ${where.bind(page.skip)}`;
  const bytes = where.bind(page.contentBytesMax);
  const fits = `(bytes <= ${bytes} OR (place = 1 AND ${bytes} > 0))`;
  const text = `SELECT ${BATCH_MESSAGE_COLUMNS}, ${fits} AS "hasContent", CASE WHEN ${fits} THEN content END AS content
    FROM (SELECT *, sum(COALESCE(octet_length(content), 0)) OVER sorted AS bytes, row_number() OVER sorted AS place
      FROM (SELECT * FROM batch_messages WHERE ${where.text()} ORDER BY ${order} ${limits}) AS page
      WINDOW sorted AS (ORDER BY ${order})) AS batch_messages
    ORDER BY place`;
  return session.query({ text }, where.values);
}

export async function countBatchMessages(session: Session, page: BatchMessageFilters): Promise<number> {
  const where = filters(page);
  const text = `SELECT count(*) AS count FROM batch_messages WHERE ${where.text()}`;
  const [row] = await session.query<{ count: number }>({ text }, where.values);
  return row?.count ?? 0;
}

function filters({ account, status, tags, created, sendTime }: BatchMessageFilters) {
  const where = createConditions();
  where.add(`account = ${where.bind(account)}`);
  if (status === "tz-processing") where.add(`status = 'processing' AND zones_total > 0 AND ${ZONES_LEFT} > 0`);
  else if (status !== undefined) where.add(`status = ${where.bind(status)}`);
  if (tags !== undefined) where.add(`tags && ${where.bind(textArray(tags, (tag) => tag))}::text[]`);
  if (created.from !== undefined) where.add(`created_at >= ${where.bind(created.from)}`);
  if (created.to !== undefined) where.add(`created_at < ${where.bind(created.to)}`);
  if (sendTime.from !== undefined) where.add(`send_at >= ${where.bind(sendTime.from)}`);
  if (sendTime.to !== undefined) where.add(`send_at < ${where.bind(sendTime.to)}`);
  return where;
}
