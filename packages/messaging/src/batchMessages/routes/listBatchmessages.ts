import { waitForAfter } from "@headwater/api/consistency/after";
import { pageOf } from "@headwater/api/paging/answerSchema";
import { readCounted } from "@headwater/api/paging/counted";
import { listAnswer, namesAny, pickFields } from "@headwater/api/paging/listAnswer";
import { cutPage, readPage } from "@headwater/api/paging/page";
import { bound, listQuery, storableText } from "@headwater/api/paging/query";
import { readTimeRange } from "@headwater/api/paging/timeRange";
import type { AfterPorts } from "@headwater/api/ports";
import type { Account } from "@headwater/contracts";
import { type Answer, defineRoute, type Route, refusal } from "@headwater/http";
import type { Session } from "@headwater/postgres/connection/session";
import { z } from "zod";
import { readAlertsView } from "../../messages/alerts.ts";
import { noStats } from "../../messages/messageNumbers.ts";
import { type PageStats, readPageStats } from "../../messages/shownStats.ts";
import type { RoutePorts } from "../../ports.ts";
import { countSendStatesOfEach } from "../../sends/sendReads.ts";
import { type BatchMessageFilters, countMessages, type ListedMessage, pageMessages } from "../batchMessagePages.ts";
import { childDelivery, childRecord } from "../childView.ts";
import { deliveryOf } from "../delivery.ts";
import { batchMessageShape, MESSAGE_MEMBERS, messageExample, messageRecord } from "../messageView.ts";
import { batchMessageStatuses } from "../transitions.ts";

const isEnabled = z
  .enum(["true", "false"])
  .optional()
  .describe("Days and hours of templates with this trigger; batch messages have none.");

const query = z.strictObject({
  ...listQuery,
  sort_by: z.enum(["ct"]).optional(),
  status: z
    .enum([...batchMessageStatuses, "tz-processing"])
    .optional()
    .describe("`tz-processing`: messages in the contacts' time zones that are `processing`."),
  "sendTime[gt]": bound,
  "sendTime[gte]": bound,
  "sendTime[lt]": bound,
  "sendTime[lte]": bound,
  "ct[gt]": bound,
  "ct[gte]": bound,
  "ct[lt]": bound,
  "ct[lte]": bound,
  tags: storableText(4_096).optional().describe("Names of tags, with commas between: messages with one of them."),
  mdtID: storableText(64).optional().describe("Days and hours of this template; batch messages have none."),
  "triggers[api][enabled]": isEnabled,
  "triggers[event][enabled]": isEnabled,
  "triggers[recurring][enabled]": isEnabled,
});
type MessagesQuery = z.output<typeof query>;

const cursorKey = z.strictObject({ ct: z.number().int(), id: storableText(64) });

const messagesAnswer = pageOf(batchMessageShape.partial());

const messagesExample = {
  data: [messageExample],
  pagination: { per_page: 25, page: 1, next_cursor: null },
};

/** Members of a row that its sends are counted for. */
type DeliveryOfRow = (row: ListedMessage) => object;

interface Asked {
  readonly account: number;
  readonly fields: string | undefined;
}

/** Returns whether `fields` names what sends are counted for: a page of great messages has millions of them. */
function asksDelivery(fields: string | undefined): boolean {
  return fields !== undefined && namesAny(fields, ["delivery", "audienceTotal"]);
}

/** Counts the sends of a page's messages in one statement, in the snapshot in which the page was read. Days and hours are as great as their sends. */
async function readDeliveries(
  session: Session,
  rows: readonly ListedMessage[],
  { account, fields }: Asked,
): Promise<DeliveryOfRow> {
  if (fields === undefined || !asksDelivery(fields)) return () => ({});
  const isWhole = namesAny(fields, ["delivery"]);
  const isCounted = ({ kind, message }: ListedMessage) =>
    kind === "child" || (isWhole && message.audienceTotal !== null);
  const ids = rows.filter(isCounted).map(({ message }) => message.id);
  const counts = await countSendStatesOfEach(session, account, ids);
  return (row) => {
    const own = counts.get(row.message.id) ?? [];
    if (row.kind === "child") return childDelivery(own);
    const delivery = isWhole ? deliveryOf(row.message, own) : undefined;
    return delivery === undefined ? {} : { delivery };
  };
}

const PAGE_BYTES_MAX = 16 * 1024 * 1024;

export type ListPorts = Pick<RoutePorts, "alertsOf" | "clickHouse" | "clock" | "cursors" | "freshness" | "postgres">;

export interface Listing {
  readonly account: Account;
  readonly signal: AbortSignal;
}

/** Messages and days and hours of templates by (time of creation, id). Throws 422 `use_cursor` for a numbered page that would hold too much. */
async function listMessagesOf(
  query: MessagesQuery,
  { account, signal }: Listing,
  { postgres, cursors, clock, ...ports }: ListPorts,
): Promise<Answer> {
  const rules = { list: "batch messages", key: cursorKey, direction: "asc", account: account.number, cursors } as const;
  const page = readPage(query, rules);
  const pick = pickFields(query.fields, MESSAGE_MEMBERS);
  const isWhole = Object.keys(pick({ message: "" })).length > 0;
  const nowMs = clock.nowMs();
  const filters = filtersOf(query, account, nowMs);
  const { after, direction, skip, perPage } = page;
  const bounds = { direction, skip, rowsMax: perPage + 1, contentBytesMax: isWhole ? PAGE_BYTES_MAX : 0 };
  let deliveryOf: DeliveryOfRow = () => ({});
  const { rows, total } = await readCounted(postgres, query, {
    async page(session) {
      const found = await pageMessages(session, { ...filters, ...bounds, ...(after && { after }) });
      deliveryOf = await readDeliveries(session, found.slice(0, perPage), { ...filters, fields: query.fields });
      return found;
    },
    count: (session) => countMessages(session, filters),
    needsSnapshot: asksDelivery(query.fields),
  });
  const stored = isWhole ? rowsWithCapacity(rows, perPage) : perPage;
  if (stored < Math.min(perPage, rows.length) && query.page !== undefined) throw tooMuch();
  const cut = cutPage(rows, { ...page, perPage: stored }, ({ message: { createdAt, id } }) => ({ ct: createdAt, id }));
  const ids = cut.rows.flatMap(countedId);
  const counted = await readPageStats({ ids, account, fields: query.fields, view: "child", signal }, ports);
  const watched = { account: account.number, ids: cut.rows.map(({ message: { id } }) => id), fields: query.fields };
  const alertsOf = await readAlertsView(postgres, watched, ports);
  const displayed = cut.rows.map((row) => {
    const record = { ...recordOf(row, { account, nowMs, isWhole }), ...alertsOf(row.message.id) };
    return pick({ ...record, ...deliveryOf(row), ...statsOf(row, counted) });
  });
  const listed = { rows: displayed, nextCursor: cut.nextCursor };
  const asOf = counted && { asOf: counted.asOf };
  return listAnswer({ path: "/v2/batchmessages", query, page, listed, total, ...asOf });
}

/** Returns the id that a row is counted by: its template's for a day or an hour, none for a message that has not begun. */
function countedId({ kind, message }: ListedMessage): string[] {
  if (kind === "child") return [message.mdtId];
  return message.audienceTotal === null ? [] : [message.id];
}

function statsOf(row: ListedMessage, counted: PageStats | undefined): object {
  if (countedId(row).length === 0) return { stats: noStats };
  return counted === undefined ? {} : counted.statsOf(row.message.id);
}

interface View {
  readonly account: Account;
  readonly nowMs: number;
  readonly isWhole: boolean;
}

function recordOf(row: ListedMessage, { account, nowMs, isWhole }: View): Record<string, unknown> {
  return row.kind === "batch"
    ? messageRecord(row.message, { account, isWhole })
    : childRecord(row.message, { account, nowMs });
}

const TRIGGERS = ["api", "event", "recurring"] as const;

function triggersOf(query: MessagesQuery): BatchMessageFilters["triggers"] {
  const asked = TRIGGERS.map((name) => [name, query[`triggers[${name}][enabled]`]] as const);
  return Object.fromEntries(asked.flatMap(([name, said]) => (said === undefined ? [] : [[name, said === "true"]])));
}

function filtersOf(
  query: MessagesQuery,
  { number, settings: { timezone } }: Account,
  nowMs: number,
): BatchMessageFilters {
  return {
    account: number,
    ...(query.status !== undefined && { status: query.status }),
    ...(query.tags !== undefined && { tags: query.tags.split(",").map((tag) => tag.trim()) }),
    created: readTimeRange(query, "ct", timezone),
    sendTime: readTimeRange(query, "sendTime", timezone),
    ...(query.mdtID !== undefined && { mdtId: query.mdtID.toLowerCase() }),
    triggers: triggersOf(query),
    nowMs,
  };
}

/** Returns how many rows of the page were read with their contents: all, or those before the first that had no space. */
function rowsWithCapacity(rows: readonly ListedMessage[], perPage: number): number {
  const first = rows.findIndex((row) => row.kind === "batch" && !row.message.hasContent);
  return first === -1 ? perPage : Math.min(first, perPage);
}

function tooMuch() {
  const message = `A page holds at most ${PAGE_BYTES_MAX} bytes of contents. Continue with the cursor, or leave them out with \`fields\`.`;
  return refusal("VALIDATION_ERROR", message, { details: [{ path: "/page", code: "use_cursor", message }] });
}

export function listBatchmessages(ports: AfterPorts & ListPorts): Route {
  return defineRoute({
    method: "GET",
    path: "/v2/batchmessages",
    operationId: "listBatchmessages",
    summary: "Lists batch messages, and days and hours of templates that were sent, in order of creation.",
    description:
      "A page holds at most 16 MiB of contents; a larger page ends early and continues at `next_cursor`. Without contents (`fields=id,name,status`) pages are always full. `delivery` is shown where `fields` names it; `stats` are left out of messages that have begun while ClickHouse is away.",
    tags: ["batchmessages"],
    answers: { 200: { description: "A page of messages.", schema: messagesAnswer, example: messagesExample } },
    auth: "basic",
    scope: "batchmessages:read",
    rateClass: "read",
    query,
    handler: async ({ query: input, caller, signal }) => {
      await waitForAfter({ token: input.after, caller, store: "state", signal }, ports);
      return listMessagesOf(input, { account: caller.account, signal }, ports);
    },
  });
}
