import { storableText } from "@headwater/api/paging/query";
import { z } from "zod";

const ID_CHARACTERS_MAX = 512;

export const productParams = z.strictObject({ productID: storableText(ID_CHARACTERS_MAX) });

const text = z.string().optional();
const flag = z.boolean().optional();
const texts = z.array(z.string()).optional();
const freeForm = z.record(z.string(), z.unknown());

/** A product as answers show it. */
export const productAnswer = z.strictObject({
  productID: z.string(),
  productName: text,
  variants: z
    .array(z.strictObject({ sku: z.string(), attr: freeForm.nullish(), qty: z.number().int().nullish() }))
    .optional(),
  productType: text,
  price: z.number().optional(),
  sale: z
    .strictObject({
      enabled: z.boolean().nullish(),
      price: z.number().nullish(),
      start: z.string().nullish(),
      end: z.string().nullish(),
    })
    .optional(),
  UPCCode: text,
  category: text,
  description: text,
  manufacturerName: text,
  url: text,
  images: texts,
  tags: texts,
  inStock: flag,
  taxable: flag,
  enabled: z.boolean(),
  properties: freeForm.optional(),
  totalQty: z.number().int(),
  ct: z.string(),
  lm: z.string(),
});

export const productRequest = {
  productID: "85123A",
  productName: "White hanging heart",
  price: 2.55,
  category: "home",
  variants: [{ sku: "85123A-w", attr: { colour: "white" }, qty: 12 }],
  sale: { enabled: true, price: "1.95", start: "2026-11-27", end: "2026-11-30" },
  enabled: true,
};

export const productExample = {
  productID: "85123A",
  productName: "White hanging heart",
  price: 2.55,
  category: "home",
  variants: [{ sku: "85123A-w", attr: { colour: "white" }, qty: 12 }],
  sale: { enabled: true, price: 1.95, start: "2026-11-27T00:00:00.000Z", end: "2026-11-30T00:00:00.000Z" },
  enabled: true,
  totalQty: 12,
  ct: "2026-01-09T22:47:12.000Z",
  lm: "2026-01-09T22:47:12.000Z",
};
