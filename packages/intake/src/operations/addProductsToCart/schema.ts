import { shapes } from "@headwater/contracts";
import { z } from "zod";

const members = {
  contact: shapes.contact,
  products: z.array(shapes.cartItem).min(1).max(shapes.bounds.productsPerCartBody),
  cart: shapes.cart.optional(),
} as const;

export const body = z.strictObject({ source: shapes.source, suppressTriggers: shapes.suppressTriggers, ...members });
export type Body = z.infer<typeof body>;

export const record = z.strictObject({ ...shapes.recordMembers, ...members });
export type AddProductsToCartRecord = z.infer<typeof record>;
