import {
  ago,
  both,
  counted,
  events,
  eventsOf,
  field,
  LIVE,
  last,
  orders,
  SUBSCRIBED,
  since,
  without,
} from "./byHand.ts";
import type { Comparison } from "./comparison.ts";

const subscribed = { field: "channels.email.subscribeStatus", op: "eq", value: "subscribed" };
const category = (value: string) => ({ field: "category", op: "eq", value });
const of = (value: string) => `position(properties, '"category":"${value}"') > 0`;
const live = (set: string) => counted(both(LIVE, set));

/** Rules about what contacts did. */
export const eventComparisons: readonly Comparison[] = [
  ...[1, 30, 365].map((days) => ({
    name: days === 1 ? "opened in a day" : `opened in ${days} days`,
    criteria: { event: "open", within: last(days) },
    sql: live(events(`action = 'open' AND ${since(days)}`)),
  })),
  {
    name: "browsed shoes three times in 90 days, no order in 30",
    criteria: {
      and: [
        { event: "browse", where: [category("Shoes")], count: { op: "gte", value: 3 }, within: last(90) },
        { not: { order: true, within: last(30) } },
      ],
    },
    sql: live(
      without(
        eventsOf(`action = 'browse' AND ${since(90)} AND ${of("Shoes")}`, "uniqUpTo(2)(uid) >= 3"),
        orders(`purchased_at >= ${ago(30)}`),
      ),
    ),
  },
  {
    name: "all but those who opened in 90 days",
    criteria: { and: [], exclude: { event: "open", within: last(90) } },
    sql: counted(without(LIVE, events(`action = 'open' AND ${since(90)}`))),
  },
  {
    name: "in two countries, two purchases in 180 days",
    criteria: {
      and: [
        { field: "attributes.country", op: "in", value: ["DE", "FR"] },
        { event: "purchase", count: { op: "gte", value: 2 }, within: last(180) },
      ],
    },
    sql: counted(
      both(
        field("attributes.country", "text IN ('DE', 'FR')"),
        eventsOf(`action = 'purchase' AND ${since(180)}`, "uniqUpTo(1)(uid) >= 2"),
      ),
    ),
  },
  {
    name: "looked at something for 150 or more in 30 days",
    criteria: { event: "browse", where: [{ field: "price", op: "gte", value: 150 }], within: last(30) },
    sql: live(events(`action = 'browse' AND ${since(30)} AND JSONExtractFloat(properties, 'price') >= 150`)),
  },
  {
    name: "clicked or searched in 7 days",
    criteria: { event: ["click", "search"], within: last(7) },
    sql: live(events(`action IN ('click', 'search') AND ${since(7)}`)),
  },
  {
    name: "browsed between 60 and 30 days ago",
    criteria: { event: "browse", within: { between: [60, 30].map((n) => ({ n, unit: "day" })) } },
    sql: live(events(`action = 'browse' AND ${since(60)} AND time < ${ago(30)}`)),
  },
  {
    name: "clicked in 7 days, subscribed, worth at least 500",
    criteria: {
      and: [
        { event: "click", within: last(7) },
        subscribed,
        { field: "attributes.lifetime_value", op: "gte", value: 500 },
      ],
    },
    sql: counted(
      both(
        both(SUBSCRIBED, field("attributes.lifetime_value", "number >= 500")),
        events(`action = 'click' AND ${since(7)}`),
      ),
    ),
  },
  {
    name: "purchases of more than 300 in 90 days",
    criteria: { event: "purchase", sum: { of: "price", op: "gt", value: 300 }, within: last(90) },
    sql: live(eventsOf(`action = 'purchase' AND ${since(90)}`, "sum(JSONExtractFloat(properties, 'price')) > 300")),
  },
  {
    name: "opened five times in 180 days",
    criteria: { event: "open", count: { op: "gte", value: 5 }, within: last(180) },
    sql: live(eventsOf(`action = 'open' AND ${since(180)}`, "uniqUpTo(4)(uid) >= 5")),
  },
  {
    name: "subscribed, searched nothing in 30 days",
    criteria: { and: [subscribed, { not: { event: "search", within: last(30) } }] },
    sql: counted(without(SUBSCRIBED, events(`action = 'search' AND ${since(30)}`))),
  },
  {
    name: "opened one message in 30 days",
    criteria: { event: "open", message: { id: "m3" }, within: last(30) },
    sql: live(events(`action = 'open' AND message = 'm3' AND message_type != 't' AND ${since(30)}`)),
  },
  {
    name: "bought shoes or toys in 60 days",
    criteria: {
      event: "purchase",
      where: [{ field: "category", op: "in", value: ["Shoes", "Toys"] }],
      within: last(60),
    },
    sql: live(events(`action = 'purchase' AND ${since(60)} AND (${of("Shoes")} OR ${of("Toys")})`)),
  },
  {
    name: "the latest purchase was of the garden",
    criteria: { event: "purchase", last: true, where: [category("Garden")] },
    sql: live(eventsOf("action = 'purchase'", `argMax(${of("Garden")}, time)`)),
  },
  {
    name: "the latest search was in 14 days, for toys",
    criteria: { event: "search", last: true, where: [category("Toys")], within: last(14) },
    sql: live(eventsOf("action = 'search'", `argMax(${of("Toys")} AND ${since(14)}, time)`)),
  },
];
