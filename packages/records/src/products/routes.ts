import { PAGE_BYTES_MAX, PAGE_BYTES_NOTE } from "@headwater/api/paging/pageBytes";
import { storableText } from "@headwater/api/paging/query";
import { defineResource } from "@headwater/api/resources/defineResource";
import type { ResourcePorts } from "@headwater/api/resources/resourceDefinition";
import { exactProductMembers, productBody } from "@headwater/contracts";
import type { Route } from "@headwater/http";
import { z } from "zod";
import { decimalNumber } from "../views/decimalNumber.ts";
import { productView } from "../views/productView.ts";
import { products } from "./postgres.ts";
import { membersView, parseProduct } from "./product.ts";
import { createProducts, requestExample } from "./routes/createProducts.ts";
import { expectShallow, toStored } from "./storedProduct.ts";
import { declareIn } from "./upsertProducts.ts";

const text = z.string().optional();
const flag = z.boolean().optional();
const texts = z.array(z.string()).optional();
const freeForm = z.record(z.string(), z.unknown());

const shape = z.strictObject({
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

const example = {
  ...requestExample,
  sale: { enabled: true, price: 1.95, start: "2026-11-27T00:00:00.000Z", end: "2026-11-30T00:00:00.000Z" },
  totalQty: 12,
  ct: "2026-01-09T22:47:12.000Z",
  lm: "2026-01-09T22:47:12.000Z",
};

const plainRoutes = defineResource({
  resource: "products",
  noun: "product",
  table: products,
  shape,
  example,
  // Decimals are JSON numbers, written from their own digits.
  toRecord: (row) => productView(row, decimalNumber),
  versioned: ({ doc, createdAt }) => [createdAt, membersView(parseProduct(doc))],
  keyShape: storableText(512),
  store: "products",
  list: {
    operationId: "listProducts",
    summary: "Lists products in order of creation.",
    description: PAGE_BYTES_NOTE,
    sorts: { ct: "createdAt", productID: "productID" },
    largeBytesMax: PAGE_BYTES_MAX,
  },
  get: { operationId: "getProduct", summary: "Returns a product by its id.", fields: false },
  update: {
    operationId: "updateProduct",
    summary: "Updates a product. Absent members stay unchanged, null removes a member.",
    body: productBody.partial(),
    exactMembers: exactProductMembers,
    requestExample: { price: "2.95", sale: null, inStock: false },
    async check(changes) {
      expectShallow([{ at: "", members: changes }]);
      return undefined;
    },
    toMembers({ productID: _, ...changes }, { doc }, { caller, nowMs }) {
      const members = toStored(changes, caller.account.settings.timezone);
      return { doc: declareIn(parseProduct(doc), { members, nowMs }) ?? doc };
    },
  },
  delete: {
    operationId: "deleteProduct",
    summary: "Deletes a product. Orders keep their items; an order written later creates it again.",
  },
});

export function productRoutes(ports: ResourcePorts): Route[] {
  return [...plainRoutes(ports), createProducts(ports)];
}
