import { productBody } from "@headwater/contracts";
import { z } from "zod";
import { successShape } from "../../answers/success.ts";
import { productRequest } from "../productShape.ts";

const PRODUCTS_MAX = 500;

export const body = z.union([productBody, z.array(productBody).min(1).max(PRODUCTS_MAX)]);
export type ProductsBody = z.output<typeof body>;

const status = z.enum(["created", "updated"]);

export const upsertedAnswer = z.union([
  successShape.extend({ productID: z.string() }),
  successShape.extend({ items: z.array(z.strictObject({ productID: z.string(), status })) }),
]);
export type UpsertStatus = z.output<typeof status>;

export const upsertRequest = [productRequest, { productID: "22423", productName: "Cake stand", price: "10.95" }];

export const upsertedExample = {
  success: true,
  items: [
    { productID: "85123A", status: "created" },
    { productID: "22423", status: "created" },
  ],
};
