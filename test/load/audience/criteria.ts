import { both, contacts, counted, either, field, LIVE, last, list, orders, SUBSCRIBED, without } from "./byHand.ts";
import type { Comparison } from "./comparison.ts";
import { eventComparisons } from "./eventCriteria.ts";

const subscribed = { field: "channels.email.subscribeStatus", op: "eq", value: "subscribed" };
const worth = { field: "attributes.lifetime_value", op: "gte", value: 500 };
const bought = (days: number) => `purchased_at >= now64(3) - INTERVAL ${days} DAY`;

/** Rules about fields, lists and orders. */
const stateComparisons: readonly Comparison[] = [
  {
    name: "subscribed, worth at least 500",
    criteria: { and: [subscribed, worth] },
    sql: counted(both(SUBSCRIBED, field("attributes.lifetime_value", "number >= 500"))),
  },
  {
    name: "subscribed, not on the newsletter",
    criteria: { and: [{ list: "newsletter", op: "notIn" }, subscribed] },
    sql: counted(without(SUBSCRIBED, list(2))),
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
    sql: counted(both(field("attributes.birthday", "text < '1980-01-01'"), field("attributes.tier", "text = 'gold'"))),
  },
  {
    name: "an address that ends in 9",
    criteria: { field: "identifiers.email", op: "endsWith", value: "9@example.com" },
    sql: counted(field("identifiers.email", "endsWith(text, '9@example.com')")),
  },
  {
    name: "in Germany, or platinum",
    criteria: {
      or: [
        { field: "attributes.country", op: "eq", value: "DE" },
        { field: "attributes.tier", op: "eq", value: "platinum" },
      ],
    },
    sql: counted(either(field("attributes.country", "text = 'DE'"), field("attributes.tier", "text = 'platinum'"))),
  },
  {
    name: "not in the US",
    criteria: { field: "attributes.country", op: "neq", value: "US" },
    sql: counted(without(LIVE, field("attributes.country", "text = 'US'"))),
  },
  {
    name: "on both lists",
    criteria: {
      and: [
        { list: "vip", op: "in" },
        { list: "newsletter", op: "in" },
      ],
    },
    sql: counted(both(LIVE, both(list(1), list(2)))),
  },
  {
    name: "a tenth of the subscribed",
    criteria: { and: [{ sample: { percent: 10 } }, subscribed] },
    sql: counted(both(SUBSCRIBED, contacts("xxHash64(concat('\\n', cid)) % 10000 < 1000"))),
  },
  {
    name: "joined the newsletter in 90 days",
    criteria: { list: "newsletter", op: "in", joined: last(90) },
    sql: counted(both(LIVE, list(2, "joined_at >= now64(3) - INTERVAL 90 DAY"))),
  },
  {
    name: "on the list vip, or orders above 400 in a year",
    criteria: {
      or: [
        { list: "vip", op: "in" },
        { order: true, sum: { of: "totalAmount", op: "gt", value: 400 }, within: last(365) },
      ],
    },
    sql: counted(both(LIVE, either(list(1), orders(`currency = 'USD' AND ${bought(365)}`, "sum(total) > 400")))),
  },
  {
    name: "ordered in 30 days",
    criteria: { order: true, within: last(30) },
    sql: counted(both(LIVE, orders(bought(30)))),
  },
  {
    name: "ordered twice in a year",
    criteria: { order: true, count: { op: "gte", value: 2 }, within: last(365) },
    sql: counted(both(LIVE, orders(bought(365), "count() >= 2"))),
  },
  {
    name: "ordered shoes in 90 days",
    criteria: { order: true, items: [{ field: "category", op: "eq", value: "Shoes" }], within: last(90) },
    sql: counted(both(LIVE, orders(`${bought(90)} AND position(document, '"category":"Shoes"') > 0`))),
  },
];

export const comparisons: readonly Comparison[] = [...stateComparisons, ...eventComparisons];
