import { z } from "zod";
import { id, idText, present, wholeOf } from "../../reading.ts";
import { definePipelineEndpoint } from "../define.ts";
import { person, personSample } from "../person.ts";

export const addProductToCart = definePipelineEndpoint({
  name: "addProductToCart",
  summary: "Adds a product to the cart of a contact.",
  body: z.looseObject({
    ...person,
    productID: id,
    sku: id,
    category: id,
    name: id,
    qty: z.union([z.number(), z.string()]).optional(),
    description: z.string().optional(),
    itemPrice: z.union([z.number(), z.string()]).optional(),
    url: z.string().optional(),
    imageUrl: z.string().optional(),
    properties: z.record(z.string(), z.unknown()).optional(),
  }),
  sample: {
    ...personSample,
    productID: "85123A",
    sku: "85123A-W",
    category: "Decoration",
    name: "White hanging heart",
    itemPrice: "2.55",
    qty: 2,
    imageUrl: "https://shop.example.com/85123A.jpg",
    properties: { colour: "white" },
  },
  parts(body, contact, { settings }) {
    const { qty = 1, imageUrl, description, itemPrice, url, properties } = body;
    const product = present({
      productID: idText(body.productID),
      sku: idText(body.sku),
      category: idText(body.category),
      name: idText(body.name),
      qty: wholeOf(qty) ?? qty,
      images: imageUrl === undefined ? undefined : [imageUrl],
      ...{ description, itemPrice, url, properties },
    });
    const item = {
      contact: { ...contact, canBeCreated: settings.partners.pipeline.canBeCreated },
      products: [product],
    };
    const sentAs = { "/images/0": "/imageUrl" };
    return [{ kind: "item", path: "", inner: "/products/0", sentAs, operation: "addProductsToCart", body: item }];
  },
});
