/** A criteria object and what somebody who knows the tables and ClickHouse well would write for it. */
export interface Comparison {
  readonly name: string;
  readonly criteria: Readonly<Record<string, unknown>>;
  /** Answers one row with `count`. Reads `{account: UInt32}`. */
  readonly sql: string;
}

const OF_ACCOUNT = "account = {account: UInt32}";
const LIVING = `SELECT contact FROM contacts_current FINAL WHERE ${OF_ACCOUNT} AND deleted = 0`;
const field = (name: string, condition: string) =>
  `SELECT contact FROM contact_fields_current FINAL WHERE ${OF_ACCOUNT} AND field = '${name}' AND ${condition}`;
const SUBSCRIBED = field("channels.email.subscribeStatus", "text = 'subscribed'");
const since = (days: number) => `time >= now64(3) - INTERVAL ${days} DAY`;
const events = (condition: string) => `SELECT contact FROM activities WHERE ${OF_ACCOUNT} AND ${condition}`;
const list = (id: number) =>
  `SELECT contact FROM memberships_current FINAL WHERE ${OF_ACCOUNT} AND list = ${id} AND present = 1`;
const orders = (condition: string) =>
  `SELECT contact FROM orders_current FINAL WHERE ${OF_ACCOUNT} AND deleted = 0 AND counts = 1 AND ${condition}`;
const last = (n: number) => ({ last: { n, unit: "day" } });
const count = (from: string) => `SELECT count() AS count FROM (${from})`;
const bitmap = (from: string) => `(SELECT groupBitmapState(contact) FROM (${from}))`;
/** Counts contacts in both sets. For large sets bitmaps take half the time of nested `IN`; for a small inner set `IN` takes less. */
const inBoth = (left: string, right: string) =>
  `SELECT bitmapAndCardinality(${bitmap(left)}, ${bitmap(right)}) AS count`;
const inFirstOnly = (left: string, right: string) =>
  `SELECT bitmapAndnotCardinality(${bitmap(left)}, ${bitmap(right)}) AS count`;

/** The first four are the examples of the criteria's specification. Of several ways to ask, `sql` is the fastest we found. */
export const comparisons: readonly Comparison[] = [
  {
    name: "subscribed, worth at least 500",
    criteria: {
      and: [
        { field: "channels.email.subscribeStatus", op: "eq", value: "subscribed" },
        { field: "attributes.lifetime_value", op: "gte", value: 500 },
      ],
    },
    sql: inBoth(SUBSCRIBED, field("attributes.lifetime_value", "number >= 500")),
  },
  {
    name: "browsed shoes three times in 90 days, no order in 30",
    criteria: {
      and: [
        {
          event: "browse",
          where: [{ field: "category", op: "eq", value: "Shoes" }],
          count: { op: "gte", value: 3 },
          within: last(90),
        },
        { not: { order: true, within: last(30) } },
      ],
    },
    sql: count(`${LIVING} AND contact IN (
        ${events(`action = 'browse' AND ${since(90)} AND position(properties, '"category":"Shoes"') > 0`)}
          GROUP BY contact HAVING uniqUpTo(2)(uid) >= 3)
      AND contact NOT IN (${orders("purchased_at >= now64(3) - INTERVAL 30 DAY")})`),
  },
  {
    name: "on the list vip, or orders above 1,000 in a year",
    criteria: {
      or: [
        { list: "vip", op: "in" },
        { order: true, sum: { of: "totalAmount", op: "gt", value: 1_000 }, within: last(365) },
      ],
    },
    sql: `SELECT bitmapAndCardinality(${bitmap(LIVING)}, bitmapOr(${bitmap(list(1))}, ${bitmap(
      `${orders("currency = 'USD' AND purchased_at >= now64(3) - INTERVAL 365 DAY")} GROUP BY contact HAVING sum(total) > 1000`,
    )})) AS count`,
  },
  {
    name: "all but those who opened in 90 days",
    criteria: { and: [], exclude: { event: "open", within: last(90) } },
    sql: inFirstOnly(LIVING, events(`action = 'open' AND ${since(90)}`)),
  },
  {
    name: "in two countries, two purchases in 180 days",
    criteria: {
      and: [
        { field: "attributes.country", op: "in", value: ["DE", "FR"] },
        { event: "purchase", count: { op: "gte", value: 2 }, within: last(180) },
      ],
    },
    sql: count(`${field("attributes.country", "text IN ('DE', 'FR')")} AND contact IN (
      ${events(`action = 'purchase' AND ${since(180)}`)} GROUP BY contact HAVING uniqUpTo(1)(uid) >= 2)`),
  },
  {
    name: "looked at something for 150 or more in 30 days",
    criteria: { event: "browse", where: [{ field: "price", op: "gte", value: 150 }], within: last(30) },
    sql: inBoth(LIVING, events(`action = 'browse' AND ${since(30)} AND JSONExtractFloat(properties, 'price') >= 150`)),
  },
  {
    name: "subscribed, not on the newsletter",
    criteria: {
      and: [
        { list: "newsletter", op: "notIn" },
        { field: "channels.email.subscribeStatus", op: "eq", value: "subscribed" },
      ],
    },
    sql: inFirstOnly(SUBSCRIBED, list(2)),
  },
  {
    name: "clicked or searched in 7 days",
    criteria: { event: ["click", "search"], within: last(7) },
    sql: count(`${LIVING} AND contact IN (${events(`action IN ('click', 'search') AND ${since(7)}`)})`),
  },
  {
    name: "born before 1980, gold",
    criteria: {
      and: [
        { field: "attributes.birthday", op: "before", value: "1980-01-01" },
        { field: "attributes.tier", op: "eq", value: "gold" },
      ],
    },
    // Every birthday is a day of ISO 8601, which compare as texts.
    sql: inBoth(field("attributes.birthday", "text < '1980-01-01'"), field("attributes.tier", "text = 'gold'")),
  },
  {
    name: "the latest purchase was of the garden",
    criteria: { event: "purchase", last: true, where: [{ field: "category", op: "eq", value: "Garden" }] },
    sql: count(`${LIVING} AND contact IN (${events("action = 'purchase'")}
      GROUP BY contact HAVING argMax(position(properties, '"category":"Garden"') > 0, time))`),
  },
];
