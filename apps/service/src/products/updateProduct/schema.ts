import { productBody } from "@headwater/contracts";
import { z } from "zod";
import { successShape } from "../../answers/success.ts";

export const body = productBody.partial();
export type ProductChanges = z.output<typeof body>;

export const updatedAnswer = successShape.extend({ productID: z.string() });

export const requestExample = { price: "2.95", sale: null, inStock: false };
