import { hasForbiddenText } from "@headwater/kernel";
import { z } from "zod";
import { bounds } from "./bounds.ts";
import { decimal, freeForm, text, timestamp } from "./shapes.ts";

const ID_CHARACTERS_MAX = 512;
const VARIANTS_MAX = 1_000;
const LIST_MAX = 100;

export const productId = z
  .string()
  .min(1)
  .max(ID_CHARACTERS_MAX)
  .refine((input) => !hasForbiddenText(input), { message: "contains NUL or an unpaired surrogate" });

/** Members whose numbers keep every digit. */
export const exactProductMembers: ReadonlySet<string> = new Set(["price"]);

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

/** Members of a product next to its id and name, as bodies give them: `null` removes. */
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
