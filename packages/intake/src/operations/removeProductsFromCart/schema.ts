import { shapes } from "@headwater/contracts";
import { z } from "zod";

const members = {
  contact: shapes.contact,
  products: z.array(shapes.cartItemForRemoval).min(1).max(shapes.bounds.productsPerCartBody),
} as const;

export const body = z.strictObject({ source: shapes.source, suppressTriggers: shapes.suppressTriggers, ...members });

export const record = z.strictObject({ ...shapes.recordMembers, ...members });
export type RemoveProductsFromCartRecord = z.infer<typeof record>;
