import { z } from "zod";
import { count, name, properties, sum, window } from "../../grammar/parts.ts";
import type { LeafDefinition } from "../leaf.ts";
import { sawOfOrders, selectOrders } from "./compile.ts";
import type { OrderLeaf } from "./order.ts";
import { parseOrder } from "./parse.ts";
import { orderTrend } from "./trend.ts";

/** Contacts by the number or the sum of their orders. */
export const orderLeaf: LeafDefinition<OrderLeaf> = {
  kind: "order",
  forms: [
    {
      order: z.literal(true),
      where: properties,
      items: properties,
      count: count.optional(),
      sum: sum.describe("In the place of `count`; `items.…` sums the matching items.").optional(),
      status: z
        .union([name, z.array(name).min(1)])
        .describe("`any`, or statuses; default those that count, or all where a condition in `where` names statuses.")
        .optional(),
      within: window.optional(),
    },
  ],
  examples: [
    { order: true, count: { op: "gte", value: 2 }, within: { last: { n: 30, unit: "day" } } },
    {
      order: true,
      where: [{ field: "status", op: "eq", value: "paid" }],
      sum: { of: "items.qty", op: "gt", value: 5 },
    },
    { order: true, items: [{ field: "sku", op: "eq", value: "85123A" }], status: "any" },
  ],
  parse: parseOrder,
  select: selectOrders,
  trend: orderTrend,
  saw: sawOfOrders,
};
