import { z } from "zod";
import { productBody } from "../../products/productShape.ts";

export const body = productBody.partial();
export type ProductChanges = z.output<typeof body>;

export const updatedAnswer = z.strictObject({ success: z.literal(true), productID: z.string() });

export const requestExample = { price: "2.95", sale: null, inStock: false };
