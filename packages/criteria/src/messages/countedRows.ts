import { isMachineSql } from "./isMachineSql.ts";
import type { MessageStat } from "./messageStats.ts";
import {
  aliasesSql,
  firstSendsSql,
  isSentInTime,
  type NumbersScope,
  OWNER,
  partSql,
  SEND,
  type SendSql,
  sendsSql,
  variantSql,
} from "./numbersScope.ts";

/** Stats that are counted; the others follow from them. */
export const COUNTED_STATS = [
  ...["sent", "bounce_hard", "bounce_soft", "opens", "opens_unique", "opens_machine", "clicks", "clicks_unique"],
  ...["clicks_machine", "opt_outs", "complaints", "orders", "revenue"],
] as const;

type Counts = Partial<Readonly<Record<MessageStat, string>>>;

/** Names an activity in eight bytes. Its copies that are not folded yet have the same contact and uid. */
const ACTIVITY = "xxh3(owner, uid)";
const activities = (which: string) => `uniqExactIf(activity, ${which})`;
const contacts = (which: string) => `uniqExactIf(owner, ${which})`;

const answers: Counts = {
  bounce_hard: activities("action = 'bounce' AND NOT is_soft"),
  bounce_soft: activities("action = 'bounce' AND is_soft"),
  opens: activities("action = 'open' AND NOT is_machine"),
  opens_unique: contacts("action = 'open' AND NOT is_machine"),
  opens_machine: activities("action = 'open' AND is_machine"),
  clicks: activities("action = 'click' AND NOT is_machine"),
  clicks_unique: contacts("action = 'click' AND NOT is_machine"),
  clicks_machine: activities("action = 'click' AND is_machine"),
  opt_outs: contacts("action = 'optout'"),
  complaints: contacts("action = 'complaint'"),
};
const ANSWERS = ["bounce", "click", "complaint", "open", "optout"];

const IS_SOFT = "lowerUTF8(JSONExtractString(properties, 'bounceType')) = 'soft'";

/** Sends, and what contacts did with them. */
export function countedActivities(scope: NumbersScope): string[] {
  const { account, where, bind } = scope;
  const part = partSql(scope, { at: "r.time", variant: variantSql("r.") }, "r.");
  const sends = `SELECT r.message AS message, ${part} AS part, ${OWNER} AS owner, ${ACTIVITY} AS activity,
    r.message_type AS type, r.time AS time FROM activities AS r LEFT ANY JOIN ${aliasesSql(scope)} AS a ON r.contact = a.merged
    WHERE ${isSentInTime(scope)}`;
  const answered = [`account = ${account}`, `action IN ${bind.strings(ANSWERS)}`, ...where];
  const columns = `message, message_period, message_type, ${SEND} AS send, contact, action, time, uid,
    action = 'bounce' AND ${IS_SOFT} AS is_soft, action IN ('open', 'click') AND ${isMachineSql()} AS is_machine`;
  const followed = followedRows({ columns, table: "activities", where: answered, at: "time" }, scope);
  const events = `SELECT r.message AS message, ${partSql(scope, followed, "r.")} AS part, ${OWNER} AS owner, ${ACTIVITY} AS activity,
    r.message_type AS type, r.time AS time, r.action AS action, r.is_soft AS is_soft, r.is_machine AS is_machine
    FROM ${followed.from} LEFT ANY JOIN ${aliasesSql(scope)} AS a ON r.contact = a.merged`;
  return [
    grouped(sends, { weight: 3, counts: { sent: "uniqExact(activity)" }, firstSent: "min(time)" }),
    grouped(events, { weight: 2, counts: answers }),
  ];
}

/** Orders that count, by the send or the batch message that they name, else by the last click of their contact. */
export function countedOrders(scope: NumbersScope): string[] {
  const { currency, inTime, basis } = scope;
  const orders = (which: string) => `(SELECT ${ORDER_COLUMNS} FROM ${countingOrders([which, ...scope.where], scope)})`;
  const amounts = "r.currency AS currency, ifNull(r.total, toDecimal128(0, 4)) AS amount";
  const sum = `sumIf(amount, currency = ${currency})`;
  const shape = { weight: 1, counts: { orders: "count()", revenue: sum } };
  if (basis === "event") {
    const bought = (table: string) => `SELECT r.message AS message,
      ${partSql(scope, { at: "r.purchased_at", variant: "''" }, "r.")} AS part, r.message_type AS type,
      r.purchased_at AS time, ${amounts} FROM ${table} AS r`;
    const inside = inTime("purchased_at");
    return [grouped(bought(orders(inside)), shape), grouped(bought(clickedOrders([inside], scope)), shape)];
  }
  const bySend = (table: string) => {
    const followed = followedRows({ columns: ORDERS_OF_SENDS, table, where: [], at: "purchased_at" }, scope);
    return `SELECT r.message AS message, ${partSql(scope, followed, "r.")} AS part, r.message_type AS type,
      r.purchased_at AS time, ${amounts} FROM ${followed.from}`;
  };
  const byMessage = `SELECT r.message AS message, ${partSql(scope, { at: "at", variant: "sent_variant" }, "sent_")} AS part, sent_message_type AS type,
    r.purchased_at AS time, ${amounts} FROM ${ordersOfMessages("mc_id = ''", scope)}`;
  const tables = [orders("mc_id != ''"), clickedOrders([], scope)];
  return [...tables.map((table) => grouped(bySend(table), shape)), grouped(byMessage, shape)];
}

const PURCHASE_COLUMNS = "message, message_period, message_type, contact, purchased_at, currency, total";
const ORDER_COLUMNS = `${PURCHASE_COLUMNS}, mc_id`;
const ORDERS_OF_SENDS = `${PURCHASE_COLUMNS}, ${SEND} AS send`;

function countingOrders(which: readonly string[], { account }: NumbersScope): string {
  return `orders_current FINAL WHERE ${[`account = ${account}`, "deleted = 0", "counts = 1", ...which].join(" AND ")}`;
}

/** Compiles whether the account has such orders at all: no activity is read for the sake of orders that are not there. */
function hasOrdersSql(which: readonly string[], { account }: NumbersScope): string {
  return `(SELECT count() > 0 FROM orders_current WHERE ${[`account = ${account}`, ...which].join(" AND ")})`;
}

/**
 * Orders that name no message, as if they named the send of the last human click of their contact before them. Checks only at clicks of
 * contacts who have such orders and clicked one of the messages that are counted.
 */
function clickedOrders(which: readonly string[], scope: NumbersScope): string {
  const { account, attributionDays, bind, where } = scope;
  const withOwner = (table: string) => `${table} AS r LEFT ANY JOIN ${aliasesSql(scope)} AS a ON r.contact = a.merged`;
  const namesNone = ["message = ''", "contact > 0", ...which];
  const clicked = [
    hasOrdersSql(namesNone, scope),
    `account = ${account}`,
    `action = ${bind.string("click")}`,
    "message_type IN ('b', 'a', 'o')",
  ].join(" AND ");
  const ordered = `SELECT contact, purchased_at, currency, total FROM ${countingOrders(namesNone, scope)}`;
  const orders = `SELECT r.*, ${OWNER} AS owner FROM ${withOwner(`(${ordered})`)}`;
  const clickers = `SELECT ${OWNER} FROM ${withOwner("activities")} WHERE ${[clicked, ...where].join(" AND ")}`;
  const clicks = `SELECT ${OWNER} AS owner, r.time AS time, max((r.mc_id, r.message, r.message_period, r.message_type)) AS send
    FROM ${withOwner("activities")} WHERE ${clicked} AND owner IN (${clickers}) AND owner IN (SELECT owner FROM (${orders}))
    AND NOT ${isMachineSql("r.")} GROUP BY owner, time`;
  const followed = `SELECT c.send.1 AS mc_id, c.send.2 AS message, c.send.3 AS message_period, c.send.4 AS message_type,
      o.contact AS contact, o.purchased_at AS purchased_at, o.currency AS currency, o.total AS total
    FROM (${orders}) AS o ASOF INNER JOIN (${clicks}) AS c ON o.owner = c.owner AND o.purchased_at >= c.time
    WHERE c.time > o.purchased_at - toIntervalDay(${attributionDays})`;
  return `(SELECT ${ORDER_COLUMNS} FROM (${followed}) WHERE ${where.join(" AND ")})`;
}

interface Following {
  /** Columns of a row; `send` is one of them. */
  readonly columns: string;
  readonly table: string;
  readonly where: readonly string[];
  /** Column of a row's own time. */
  readonly at: string;
}

/**
 * Rows `r` that followed a send of the time, or that lie in it themselves. `at` is the time that decides their day. Sends stream past the
 * rows, which are far fewer.
 */
function followedRows(
  { columns, table, where, at }: Following,
  scope: NumbersScope,
): SendSql & { readonly from: string } {
  const { basis, view, inTime } = scope;
  const rows = (conditions: readonly string[]) =>
    `(SELECT ${columns} FROM ${table}${conditions.length > 0 ? ` WHERE ${conditions.join(" AND ")}` : ""}) AS r`;
  if (basis === "event") return { from: rows([...where, inTime(at)]), at: `r.${at}`, variant: "''" };
  if (view === "day" || view === "variant") {
    const from = `(${firstSendsSql(scope)}) AS s INNER JOIN ${rows(where)} ON s.send = r.send`;
    return { from, at: "s.at", variant: "s.variant" };
  }
  return { from: `(${sendsSql(scope)}) AS s RIGHT SEMI JOIN ${rows(where)} ON s.send = r.send`, at: "", variant: "''" };
}

/**
 * Orders that name no send, each with the first send of its message to its contact, else with the first of all.
 */
function ordersOfMessages(which: string, scope: NumbersScope): string {
  const { account, bind, where, inTime, view } = scope;
  const named = [which, ...where];
  const orders = `(SELECT ${ORDER_COLUMNS} FROM ${countingOrders(named, scope)})`;
  const sent = [
    hasOrdersSql(named, scope),
    `account = ${account}`,
    `action = ${bind.string("message-sent")}`,
    ...where,
    `message IN (SELECT message FROM ${orders})`,
  ];
  const variant = view === "variant" ? variantSql() : "''";
  const first = `min((time, message_period, message_type, ${variant})) AS first`;
  const owned = `SELECT message, ${OWNER} AS owner, ${first} FROM activities AS r
    LEFT ANY JOIN ${aliasesSql(scope)} AS a ON r.contact = a.merged WHERE ${sent.join(" AND ")} GROUP BY message, owner`;
  const all = `SELECT message, ${first} FROM activities WHERE ${sent.join(" AND ")} GROUP BY message`;
  const live = `(SELECT r.*, ${OWNER} AS owner FROM ${orders} AS r
    LEFT ANY JOIN ${aliasesSql(scope)} AS a ON r.contact = a.merged)`;
  const known = "if(notEmpty(c.message), c.first, m.first)";
  return `(SELECT r.*, ${known}.1 AS at, ${known}.2 AS sent_message_period, ${known}.3 AS sent_message_type,
      ${known}.4 AS sent_variant
    FROM ${live} AS r LEFT ANY JOIN (${owned}) AS c ON r.message = c.message AND r.owner = c.owner
    INNER JOIN (${all}) AS m ON r.message = m.message WHERE ${inTime("at")}) AS r`;
}

interface Grouped {
  /** Rank of the type: of a message's types the one of the greatest weight is shown. */
  readonly weight: number;
  readonly counts: Counts;
  readonly firstSent?: string;
}

function grouped(rows: string, { weight, counts, firstSent = "toDateTime64(0, 3, 'UTC')" }: Grouped): string {
  const zero = (stat: string) => (stat === "revenue" ? "toDecimal128(0, 4)" : "toUInt64(0)");
  const counted = COUNTED_STATS.map((stat) => `${counts[stat] ?? zero(stat)} AS counted_${stat}`);
  return `SELECT message, part, toString(argMax(type, time)) AS type, ${weight} AS weight, ${firstSent} AS first_sent,
    ${counted.join(", ")} FROM (${rows}) GROUP BY message, part`;
}
