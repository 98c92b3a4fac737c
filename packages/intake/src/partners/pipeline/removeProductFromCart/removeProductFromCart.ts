import { shapes } from "@headwater/contracts";
import { z } from "zod";
import { id, idText, wholeOf } from "../../reading.ts";
import { definePipelineEndpoint } from "../define.ts";
import { person, personSample } from "../person.ts";

/** More than there is is no error: so much takes every line of the product. */
const ALL = shapes.bounds.qtyOfCartLine;

export const removeProductFromCart = definePipelineEndpoint({
  name: "removeProductFromCart",
  summary: "Removes a quantity of a product, or all of it, from the cart of a contact.",
  body: z.looseObject({ ...person, productID: id, qty: z.union([z.number(), z.string()]).optional() }),
  sample: { ...personSample, productID: "85123A", qty: 1 },
  parts({ productID, qty = ALL }, contact) {
    const products = [{ productID: idText(productID), qty: wholeOf(qty) ?? qty }];
    return [
      {
        kind: "item",
        path: "",
        inner: "/products/0",
        operation: "removeProductsFromCart",
        body: { contact, products },
      },
    ];
  },
});
