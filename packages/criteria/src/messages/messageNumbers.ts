import type { Account } from "@headwater/contracts";
import { createBinder } from "../compile/binder.ts";
import { COUNTED_STATS, countedActivities, countedOrders } from "./countedRows.ts";
import { type MessageSelection, selectMessages } from "./messageSelection.ts";
import { MESSAGE_STATS } from "./messageStats.ts";
import type { NumbersScope, NumbersView } from "./numbersScope.ts";

/** Question that numbers of messages answer. */
export interface NumbersQuestion {
  readonly account: number;
  /** Revenue is summed over orders of this currency alone. */
  readonly currency: string;
  /** Days after a click in which an order that names no message is counted for the clicked one. */
  readonly attributionDays: number;
  /** Zone of the days of automated messages. */
  readonly timezone: string;
  /** Milliseconds since 1970: `from` included, `to` excluded. */
  readonly from: number;
  readonly to: number;
  /** `sent` counts sends of the time with all that followed them, whenever it did; `event` counts events of the time. */
  readonly basis: "sent" | "event";
  readonly messages: MessageSelection;
  /** A `variant` is one of sends: its basis is `sent`. */
  readonly view: NumbersView;
}

export interface NumbersSql {
  /**
   * Selects a row for each of what the view adds up: `message`, `part` (a day, a variant, a type, or empty), `message_type` (a letter),
   * `sent_at` and the stats. In one row in all the first four are missing; of a type `message` and `sent_at` are.
   */
  readonly sql: string;
  /** Goes before the SELECT that `sql` is part of: `WITH …`, or nothing. */
  readonly prefix: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** Compiles the numbers of messages from activities and orders. */
export function compileMessageNumbers(question: NumbersQuestion): NumbersSql {
  const { account, currency, timezone, from, to, basis, view, attributionDays } = question;
  const bind = createBinder();
  const number = bind.uint(account);
  const [begin, end] = [bind.instant(held(from)), bind.instant(held(to))];
  const inTime = (column: string) => `${column} >= ${begin} AND ${column} < ${end}`;
  const sends = basis === "sent" ? [inTime("time")] : [];
  const { where, selected } = selectMessages(question.messages, { bind, account: number, sends });
  const scope: NumbersScope = {
    ...{ bind, account: number, basis, view, inTime, where },
    currency: bind.string(currency),
    attributionDays: bind.uint(attributionDays),
    timezone: bind.string(timezone),
  };
  const rows = [...countedActivities(scope), ...countedOrders(scope)].join(" UNION ALL ");
  return {
    sql: addedUp(statsOf(rows), view),
    prefix: selected === undefined ? "" : `WITH (${selected}) AS selected `,
    params: bind.params,
  };
}

/** Revenue of messages and templates by id, of orders from an instant to another one (milliseconds since 1970). */
export interface RevenueAsked {
  readonly account: Account;
  readonly ids: readonly string[];
  readonly from: number;
  readonly to: number;
}

/** Compiles the revenue of the minutes in which there was some: rows of `message`, `minute` since 1970 and `revenue`, a decimal. */
export function compileRevenueByMinute({ account: { number, settings }, ids, from, to }: RevenueAsked): {
  readonly sql: string;
  readonly params: Readonly<Record<string, unknown>>;
} {
  const bind = createBinder();
  const account = bind.uint(number);
  const [begin, end] = [bind.instant(held(from)), bind.instant(held(to))];
  const group = { ids, keys: [], tags: [], orchestrationIds: [], orchestrationTags: [] };
  const scope: NumbersScope = {
    ...({ bind, account, basis: "event", view: "minute" } as const),
    inTime: (column) => `${column} >= ${begin} AND ${column} < ${end}`,
    where: selectMessages({ group }, { bind, account, sends: [] }).where,
    currency: bind.string(settings.currency),
    attributionDays: bind.uint(settings.messaging.attributionDays),
    timezone: bind.string(settings.timezone),
  };
  const rows = countedOrders(scope).join(" UNION ALL ");
  const sql = `SELECT toString(message) AS message, toInt64(part) AS minute, counted_revenue AS revenue FROM (${rows})`;
  return { sql, params: bind.params };
}

const EARLIEST_MS = Date.UTC(1900, 0, 1);
const LATEST_MS = Date.UTC(2299, 11, 31);

/** An instant that the store has; no activity or order is of a time beyond. */
function held(ms: number): number {
  return Math.min(LATEST_MS, Math.max(EARLIEST_MS, ms));
}

/** Sums what was counted of each message and part. Of a message's types the one of its sends wins. */
function statsOf(rows: string): string {
  const sums = COUNTED_STATS.map((stat) => `sum(counted_${stat}) AS sum_${stat}`);
  const summed = `SELECT message, part, argMaxIf(type, weight, type != '') AS message_type,
    minIf(first_sent, weight = 3) AS sent_at, ${sums.join(", ")} FROM (${rows}) GROUP BY message, part`;
  const bounces = "sum_bounce_hard + sum_bounce_soft";
  const stats = [
    ...COUNTED_STATS.map((stat) => `sum_${stat} AS ${stat}`),
    `${bounces} AS bounce_total`,
    `if(sum_sent > ${bounces}, sum_sent - (${bounces}), 0) AS delivered`,
  ];
  return `SELECT message, part, message_type, sent_at, ${stats.join(", ")} FROM (${summed})`;
}

function addedUp(rows: string, view: NumbersView): string {
  const sums = MESSAGE_STATS.map((stat) => `sum(n.${stat}) AS ${stat}`).join(", ");
  switch (view) {
    case "message":
    case "day":
    case "child":
    case "variant":
    case "minute":
      return rows;
    case "type":
      return `SELECT n.part AS part, n.part AS message_type, ${sums} FROM (${rows}) AS n GROUP BY n.part`;
    case "total":
      return `SELECT ${sums} FROM (${rows}) AS n`;
  }
}
