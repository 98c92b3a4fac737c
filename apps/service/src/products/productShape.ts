import { shapes } from "@headwater/contracts";
import { z } from "zod";
import { storableText } from "../paging/query.ts";

const { bounds, decimal, freeForm, text, timestamp } = shapes;
const ID_CHARACTERS_MAX = 512;
const VARIANTS_MAX = 1_000;
const LIST_MAX = 100;

export const productId = storableText(ID_CHARACTERS_MAX).min(1);
export const productParams = z.strictObject({ productID: storableText(ID_CHARACTERS_MAX) });

/** Members whose numbers keep every digit. */
export const exactMembers: ReadonlySet<string> = new Set(["price"]);

const variants = z
  .array(
    z.object({
      sku: z.string().min(1).max(ID_CHARACTERS_MAX),
      attr: freeForm.nullish(),
      qty: z.number().int().min(-bounds.qtyOfCartLine).max(bounds.qtyOfCartLine).nullish(),
    }),
  )
  .max(VARIANTS_MAX)
  .refine((all) => new Set(all.map(({ sku }) => sku)).size === all.length, { message: "names a sku twice" });

const sale = z.object({
  enabled: z.boolean().nullish(),
  price: decimal.nullish(),
  start: timestamp.nullish(),
  end: timestamp.nullish(),
});

/** Members of a product beside its id and name, as bodies give them: `null` removes. */
const optionalMembers = z
  .object({
    variants,
    productType: z.enum(["physical", "digital", "subscription", "event"]),
    price: decimal,
    sale,
    UPCCode: text,
    category: text,
    description: text,
    manufacturerName: text,
    url: text,
    images: z.array(text).max(LIST_MAX),
    tags: z.array(text).max(LIST_MAX),
    inStock: z.boolean(),
    taxable: z.boolean(),
    enabled: z.boolean(),
    properties: freeForm,
  })
  .partial();
const { shape } = optionalMembers;

export const productMembers = {
  variants: shape.variants.nullable(),
  productType: shape.productType.nullable(),
  price: shape.price.nullable(),
  sale: shape.sale.nullable(),
  UPCCode: shape.UPCCode.nullable(),
  category: shape.category.nullable(),
  description: shape.description.nullable(),
  manufacturerName: shape.manufacturerName.nullable(),
  url: shape.url.nullable(),
  images: shape.images.nullable(),
  tags: shape.tags.nullable(),
  inStock: shape.inStock.nullable(),
  taxable: shape.taxable.nullable(),
  enabled: shape.enabled.nullable(),
  properties: shape.properties.nullable(),
};

export const productName = text.min(1);
export const productBody = z.object({ productID: productId, productName, ...productMembers });
export type ProductBody = z.output<typeof productBody>;

/** A product as answers show it. */
export const productAnswer = z.looseObject({
  productID: z.string(),
  productName: z.string().optional(),
  variants: z
    .array(z.strictObject({ sku: z.string(), attr: z.looseObject({}).optional(), qty: z.number().int().optional() }))
    .optional(),
  price: z.number().optional(),
  sale: z.looseObject({}).optional(),
  enabled: z.boolean(),
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
