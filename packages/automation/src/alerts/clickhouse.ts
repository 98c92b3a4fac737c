import type { ClickHouse, QueryOptions } from "@headwater/clickhouse/clickhouse";
import type { Account } from "@headwater/contracts";
import { compileRevenueByMinute, createBinder, isMachineSql } from "@headwater/criteria";
import type { MessageAlertType, Sample } from "./alert.ts";

const MINUTE_MS = 60_000;

/** A message or template, and a number of minutes to look back over. */
export interface MessageWindow {
  readonly message: string;
  readonly period: number;
}

export interface MessagesQuestion {
  readonly account: Account;
  readonly windows: readonly MessageWindow[];
  /** Instant that the windows end at, a whole minute in milliseconds since 1970. Nothing of then or later counts. */
  readonly until: number;
}

/** Sends of a window, and how many of them had an answer by its end. */
export interface SendCounts {
  readonly sent: number;
  readonly bounce: number;
  readonly open: number;
  readonly click: number;
  readonly optout: number;
  readonly complaint: number;
}

const answerActions = ["bounce", "open", "click", "optout", "complaint"] as const;
type AnswerAction = (typeof answerActions)[number];
const noSends: SendCounts = { sent: 0, bounce: 0, open: 0, click: 0, optout: 0, complaint: 0 };

/** Time that a query may take: an account whose queries take longer is not evaluated. */
const QUERY_MS = 10_000;
const LIMITS: QueryOptions = { timeoutMs: QUERY_MS, settings: { max_memory_usage: String(1024 ** 3), max_threads: 2 } };

/** Names a window in a map of what was counted. */
export function windowName({ message, period }: MessageWindow): string {
  return `${message}/${period}`;
}

/** Counts what was sent in windows and what came back, of all of them by one query. */
export async function countSends(
  { account, windows, until }: MessagesQuestion,
  clickHouse: ClickHouse,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, SendCounts>> {
  if (windows.length === 0) return new Map();
  const { messages, periods, longest } = spanOf(windows);
  const bind = createBinder();
  const sends = sendsSql({ account: account.number, messages, from: until - longest * MINUTE_MS, until }, bind);
  const counts = answerActions.map((action) => `countIf(${action}_at > 0) AS ${action}`);
  const sql = `SELECT toString(message) AS message, period, count() AS sent, ${counts.join(", ")} FROM (${sends})
    ARRAY JOIN ${bind.ints(periods)} AS period WHERE sent_at >= ${bind.uint(until)} - period * ${MINUTE_MS} GROUP BY message, period`;
  const rows = await clickHouse.query<SendCounts & MessageWindow>(sql, bind.params, { ...LIMITS, signal });
  const counted = new Map(rows.map((row) => [windowName(row), row]));
  return new Map(windows.map((window) => [windowName(window), counted.get(windowName(window)) ?? noSends]));
}

/** Adds up the revenue of the orders of windows, in the account's currency, of all of them by one query. */
export async function sumRevenue(
  { account, windows, until }: MessagesQuestion,
  clickHouse: ClickHouse,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, number>> {
  if (windows.length === 0) return new Map();
  const { messages, periods, longest } = spanOf(windows);
  const byMinute = compileRevenueByMinute({ account, ids: messages, from: until - longest * MINUTE_MS, to: until });
  const bind = createBinder("w");
  const sql = `SELECT message, period, toFloat64(sum(revenue)) AS revenue FROM (${byMinute.sql}) ARRAY JOIN ${bind.ints(periods)} AS period
    WHERE minute >= ${bind.uint(until / MINUTE_MS)} - period GROUP BY message, period`;
  const params = { ...byMinute.params, ...bind.params };
  const rows = await clickHouse.query<MessageWindow & { revenue: number }>(sql, params, { ...LIMITS, signal });
  const summed = new Map(rows.map((row) => [windowName(row), row.revenue]));
  return new Map(windows.map((window) => [windowName(window), summed.get(windowName(window)) ?? 0]));
}

/** Returns what the value of a message's alert is made of. */
export function sampleOf(type: Exclude<MessageAlertType, "revenue">, counts: SendCounts): Sample {
  const { sent } = counts;
  switch (type) {
    case "total-sent":
      return { count: sent, of: sent };
    case "delivered-rate":
      return { count: sent - counts.bounce, of: sent };
    case "bounce-rate":
      return { count: counts.bounce, of: sent };
    case "complaint-rate":
      return { count: counts.complaint, of: sent };
    case "optout-rate":
      return { count: counts.optout, of: sent };
    case "open-rate":
      return { count: counts.open, of: sent };
    case "click-rate":
      return { count: counts.click, of: sent };
  }
}

interface SendsSpan {
  readonly account: number;
  readonly messages: readonly string[];
  /** First instant, and the one behind the last, in milliseconds since 1970. */
  readonly from: number;
  readonly until: number;
}

/**
 * Selects the sends of a time, each once, with the first of each kind of answer by then. Times are milliseconds since 1970, 0 where there was none.
 * Opens and clicks of machines are none.
 */
function sendsSql({ account, messages, from, until }: SendsSpan, bind: ReturnType<typeof createBinder>): string {
  const own = `account = ${bind.uint(account)} AND message IN ${bind.strings(messages)} AND message_type IN ('b', 'a', 'o')
    AND time >= ${bind.instant(from)} AND time < ${bind.instant(until)}`;
  const sends = `SELECT xxh3(mc_id) AS send, any(message) AS sent_message, toUnixTimestamp64Milli(min(time)) AS sent_at
    FROM activities WHERE action = 'message-sent' AND ${own} GROUP BY send`;
  const first = answerActions.map(
    (action) => `toUnixTimestamp64Milli(minIf(time, action = '${action}')) AS ${action}_at`,
  );
  const answers = `SELECT xxh3(mc_id) AS send, ${first.join(", ")} FROM activities
    WHERE action IN ${bind.strings([...answerActions])} AND ${own} AND NOT (action IN ('open', 'click') AND ${isMachineSql()}) GROUP BY send`;
  const columns = answerActions.map((action) => `r.${action}_at AS ${action}_at`).join(", ");
  return `SELECT s.sent_message AS message, s.sent_at AS sent_at, ${columns} FROM (${sends}) AS s LEFT ANY JOIN (${answers}) AS r ON s.send = r.send`;
}

function spanOf(windows: readonly MessageWindow[]) {
  const periods = [...new Set(windows.map(({ period }) => period))];
  return {
    messages: [...new Set(windows.map(({ message }) => message))],
    periods,
    longest: Math.max(...periods),
  };
}

/** A change of what is counted over a window that moves on with the minutes. */
export interface SampleChange {
  /** Minute since 1970 from whose begin on it holds. */
  readonly minute: number;
  readonly count: number;
  readonly of: number;
}

export interface HistoryQuestion extends MessageWindow {
  readonly account: Account;
  readonly type: Exclude<MessageAlertType, "revenue">;
  /** First and last minute since 1970 at which the window ends. */
  readonly first: number;
  readonly last: number;
}

/** Answers that the value of a type counts among the sends; null: the sends themselves. */
const ANSWER_OF = {
  "total-sent": null,
  "delivered-rate": "bounce",
  "bounce-rate": "bounce",
  "complaint-rate": "complaint",
  "optout-rate": "optout",
  "open-rate": "open",
  "click-rate": "click",
} as const satisfies Readonly<Record<HistoryQuestion["type"], AnswerAction | null>>;

/**
 * Reads how the counts of a moving window changed, as they were known at the end of each minute: a send counts from the minute behind it for as
 * long as the period, an answer from the minute behind it for as long as its send. At most one row a minute, however much was sent.
 */
export async function readSendChanges(
  { account, message, period, type, first, last }: HistoryQuestion,
  clickHouse: ClickHouse,
  signal: AbortSignal,
): Promise<SampleChange[]> {
  const bind = createBinder();
  const span = { from: (first - period) * MINUTE_MS, until: last * MINUTE_MS };
  const sends = sendsSql({ account: account.number, messages: [message], ...span }, bind);
  const answer = ANSWER_OF[type];
  const answerAt = answer === null ? "sent_at" : `${answer}_at`;
  const minuteOf = (column: string) => `intDiv(${column}, ${MINUTE_MS})`;
  const length = bind.uint(period);
  const of = `[(toInt64(sent + 1), toInt64(0), toInt64(1)), (toInt64(sent + ${length} + 1), toInt64(0), toInt64(-1))]`;
  const counted = `[(toInt64(answered + 1), toInt64(1), toInt64(0)), (toInt64(sent + ${length} + 1), toInt64(-1), toInt64(0))]`;
  const changes = `SELECT arrayJoin(if(is_answered AND answered < sent + ${length}, arrayConcat(${of}, ${counted}), ${of})) AS change
    FROM (SELECT ${minuteOf("sent_at")} AS sent, greatest(${minuteOf("sent_at")}, ${minuteOf(answerAt)}) AS answered,
      ${answerAt} > 0 AS is_answered FROM (${sends}))`;
  const sql = `SELECT change.1 AS minute, sum(change.2) AS count, sum(change.3) AS of FROM (${changes}) GROUP BY minute ORDER BY minute`;
  const rows = await clickHouse.query<SampleChange>(sql, bind.params, { ...LIMITS, signal });
  // What was delivered is what did not bounce.
  return type === "delivered-rate" ? rows.map((row) => ({ ...row, count: row.of - row.count })) : rows;
}

/** Reads the revenue of each minute since 1970 that has some: `first` included, `last` excluded. */
export async function readRevenue(
  { account, message, first, last }: Pick<HistoryQuestion, "account" | "message" | "first" | "last">,
  clickHouse: ClickHouse,
  signal: AbortSignal,
): Promise<{ readonly minute: number; readonly count: number }[]> {
  const span = { from: first * MINUTE_MS, to: last * MINUTE_MS };
  const { sql, params } = compileRevenueByMinute({ account, ids: [message], ...span });
  const text = `SELECT minute, toFloat64(sum(revenue)) AS count FROM (${sql}) GROUP BY minute ORDER BY minute`;
  return clickHouse.query<{ minute: number; count: number }>(text, params, { ...LIMITS, signal });
}
