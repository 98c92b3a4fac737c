import { textArray } from "@headwater/postgres/connection/arrays";
import { type Conditions, createConditions } from "@headwater/postgres/connection/conditions";
import type { Session } from "@headwater/postgres/connection/session";
import { readTemplateChildren, type TemplateChild } from "../templates/templateChildren.ts";
import { BATCH_MESSAGE_COLUMNS, type StoredBatchMessage } from "./batchMessages.ts";
import type { BatchMessageStatus } from "./transitions.ts";

/** Milliseconds since 1970; `from` is included, `to` is not. */
interface Times {
  readonly from?: number;
  readonly to?: number;
}

export interface BatchMessageFilters {
  readonly account: number;
  /** `tz-processing`: those that are `processing` in the contacts' time zones. */
  readonly status?: BatchMessageStatus | "tz-processing";
  /** Messages that have one of them. */
  readonly tags?: readonly string[];
  readonly created: Times;
  /** Template: its days and hours alone. */
  readonly mdtId?: string;
  /** Triggers that templates have enabled or not; batch messages have none. */
  readonly triggers: Readonly<Partial<Record<"api" | "event" | "recurring", boolean>>>;
  /** Milliseconds since 1970: days and hours that have not ended are `processing`. */
  readonly nowMs: number;
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

/** A message of a page; `hasContent` is false where the page has no space for its content. */
export type ListedBatchMessage = StoredBatchMessage & { readonly hasContent: boolean };

/** A row of the list: a batch message, or a day or an hour of a template. */
export type ListedMessage =
  | { readonly kind: "batch"; readonly message: ListedBatchMessage }
  | { readonly kind: "child"; readonly message: TemplateChild };

/** Lists in order of (time of creation, id). Contents beyond the bound stay where they are stored. */
export async function pageMessages(session: Session, page: BatchMessagesPage): Promise<ListedMessage[]> {
  const keys = await pageKeys(session, page);
  const idsOf = (isChild: boolean) => keys.filter((key) => key.isChild === isChild).map(({ id }) => id);
  const batches = await readListed(session, page, idsOf(false));
  const children = await readTemplateChildren(session, page.account, idsOf(true));
  const rows = new Map<string, ListedMessage>([
    ...batches.map((message) => [message.id, { kind: "batch", message }] as const),
    ...children.map((message) => [message.id, { kind: "child", message }] as const),
  ]);
  return keys.flatMap(({ id }) => rows.get(id) ?? []);
}

interface ListedKey {
  readonly id: string;
  readonly isChild: boolean;
}

function pageKeys(session: Session, page: BatchMessagesPage): Promise<ListedKey[]> {
  const { direction, after, rowsMax, skip } = page;
  const where = createConditions();
  const rows = rowsOf(page, where);
  if (after !== undefined) {
    const last = `(${where.bind(after.ct)}, ${where.bind(after.id)})`;
    where.add(`(created_at, id) ${direction === "asc" ? ">" : "<"} ${last}`);
  }
  const behind = after === undefined ? "" : `WHERE ${where.text()}`;
  const order = direction === "asc" ? "created_at ASC, id ASC" : "created_at DESC, id DESC";
  const limits = `LIMIT ${where.bind(rowsMax)} OFFSET ${where.bind(skip)}`;
  const text = `SELECT id, is_child AS "isChild" FROM (${rows}) AS rows ${behind} ORDER BY ${order} ${limits}`;
  return session.query<ListedKey>({ text }, where.values);
}

function readListed(
  session: Session,
  { account, direction, contentBytesMax }: BatchMessagesPage,
  ids: readonly string[],
): Promise<ListedBatchMessage[]> {
  if (ids.length === 0) return Promise.resolve([]);
  const where = createConditions();
  where.add(`account = ${where.bind(account)}`);
  where.add(`id = ANY (${where.bind(textArray(ids, (id) => id))}::text[])`);
  const order = direction === "asc" ? "created_at ASC, id ASC" : "created_at DESC, id DESC";
  const bytes = where.bind(contentBytesMax);
  const fits = `(bytes <= ${bytes} OR (place = 1 AND ${bytes} > 0))`;
  const text = `SELECT ${BATCH_MESSAGE_COLUMNS}, ${fits} AS "hasContent", CASE WHEN ${fits} THEN content END AS content
    FROM (SELECT *, sum(COALESCE(octet_length(content), 0)) OVER sorted AS bytes, row_number() OVER sorted AS place
      FROM (SELECT * FROM batch_messages WHERE ${where.text()}) AS page
      WINDOW sorted AS (ORDER BY ${order})) AS batch_messages
    ORDER BY place`;
  return session.query({ text }, where.values);
}

export async function countMessages(session: Session, page: BatchMessageFilters): Promise<number> {
  const where = createConditions();
  const text = `SELECT count(*) AS count FROM (${rowsOf(page, where)}) AS rows`;
  const [row] = await session.query<{ count: number }>({ text }, where.values);
  return row?.count ?? 0;
}

/** Compiles the keys of batch messages and of children that the filters let through. */
function rowsOf(page: BatchMessageFilters, where: Conditions): string {
  const isOfChildren = page.mdtId !== undefined || Object.values(page.triggers).includes(true);
  const children = `SELECT c.created_at, c.id, true AS is_child FROM template_children c
    LEFT JOIN automation_templates t ON t.account = c.account AND t.mdt_id = c.mdt_id WHERE ${childFilters(page, where)}`;
  if (isOfChildren) return children;
  return `SELECT created_at, id, false AS is_child FROM batch_messages WHERE ${batchFilters(page, where)} UNION ALL ${children}`;
}

/** Condition on messages in the contacts' zones, from the snapshot of the audience until the last send has ended. */
const IN_ZONES = "status = 'processing' AND schedule_at IS NOT NULL AND settings::json ->> 'scheduleType' = 'contact'";

function batchFilters({ account, status, tags, created, sendTime }: BatchMessageFilters, where: Conditions): string {
  const tests = [`account = ${where.bind(account)}`];
  if (status === "tz-processing") tests.push(IN_ZONES);
  else if (status !== undefined) tests.push(`status = ${where.bind(status)}`);
  if (tags !== undefined) tests.push(`tags && ${where.bind(textArray(tags, (tag) => tag))}::text[]`);
  return [...tests, ...within("created_at", created, where), ...within("send_at", sendTime, where)].join(" AND ");
}

function childFilters(filters: BatchMessageFilters, where: Conditions): string {
  const { account, status, tags, created, sendTime, mdtId, triggers, nowMs } = filters;
  const tests = [`c.account = ${where.bind(account)}`];
  if (status !== undefined) {
    const isOver = `c.ends_at <= ${where.bind(nowMs)}::bigint`;
    tests.push(`CASE WHEN ${isOver} THEN 'sent' ELSE 'processing' END = ${where.bind(status)}`);
  }
  if (tags !== undefined) {
    tests.push(
      `CASE WHEN t.key IS NULL THEN c.tags ELSE t.tags END && ${where.bind(textArray(tags, (tag) => tag))}::text[]`,
    );
  }
  if (mdtId !== undefined) tests.push(`c.mdt_id = ${where.bind(mdtId)}`);
  for (const [name, isEnabled] of Object.entries(triggers)) {
    const said = `COALESCE(t.settings, c.settings)::json #>> ARRAY['triggers', ${where.bind(name)}::text, 'enabled']`;
    tests.push(`COALESCE((${said})::boolean, ${name === "api"}) = ${where.bind(isEnabled)}`);
  }
  return [...tests, ...within("c.created_at", created, where), ...within("c.created_at", sendTime, where)].join(
    " AND ",
  );
}

function within(column: string, { from, to }: Times, where: Conditions): string[] {
  return [
    ...(from === undefined ? [] : [`${column} >= ${where.bind(from)}`]),
    ...(to === undefined ? [] : [`${column} < ${where.bind(to)}`]),
  ];
}
