import { z } from "zod";
import { properties, property, window } from "../../grammar/parts.ts";
import type { LeafDefinition } from "../leaf.ts";
import type { CartLeaf } from "./cart.ts";
import { sawOfCart, selectCarts } from "./compile.ts";
import { parseCart } from "./parse.ts";
import { cartTrend } from "./trend.ts";

/** Contacts by their cart. */
export const cartLeaf: LeafDefinition<CartLeaf> = {
  kind: "cart",
  forms: [
    {
      cart: z
        .union([z.literal("nonEmpty"), z.strictObject({ items: z.array(property).describe("All hold on one line.") })])
        .describe("A cart with lines that has not expired."),
      where: properties,
      within: window.describe("Of the cart's last change.").optional(),
    },
    { cart: z.literal("empty").describe("Everybody else; takes neither `where` nor `within`.") },
  ],
  examples: [
    { cart: "nonEmpty", where: [{ field: "totalAmount", op: "gt", value: 100 }] },
    { cart: { items: [{ field: "qty", op: "gte", value: 2 }] }, within: { last: { n: 1, unit: "day" } } },
    { cart: "empty" },
  ],
  parse: parseCart,
  select: selectCarts,
  trend: cartTrend,
  saw: sawOfCart,
};
