import { z } from "zod";
import { orderLines } from "../../lines.ts";
import { id, idText, present, textOf, timeOf } from "../../reading.ts";
import { definePipelineEndpoint } from "../define.ts";
import { person, personSample } from "../person.ts";

const amount = z.union([z.number(), z.string()]);

export const upsertOrder = definePipelineEndpoint({
  name: "upsertOrder",
  summary: "Creates or updates an order of a contact.",
  body: z.looseObject({
    ...person,
    orderID: id,
    purchaseDate: z.union([z.string(), z.number()]),
    status: id,
    totalAmount: amount,
    items: z.array(z.unknown()).min(1),
    discountApplication: z.looseObject({ type: z.string(), amount }).optional(),
    properties: z.record(z.string(), z.unknown()).optional(),
  }),
  sample: {
    ...personSample,
    orderID: "A-2001",
    purchaseDate: "2026-01-09 22:47:12",
    status: "paid",
    totalAmount: "16.50",
    items: [{ productID: "85123A", sku: "85123A", name: "White hanging heart", itemPrice: "2.55", qty: 6 }],
    discountApplication: { type: "fixed", amount: "1.00" },
    properties: { channel: "web" },
  },
  *parts(body, contact, { settings }) {
    const { lines, refused, details } = yield* orderLines({ path: "/items", lines: body.items });
    const [first, ...others] = details;
    // Without a line there is no order: the push is one item, and what is wrong with it is its sender's to know.
    if (lines.length === 0 && first !== undefined) return { wrong: [first, ...others] };
    const discount = body.discountApplication;
    const order = present({
      orderID: idText(body.orderID),
      purchaseDate: timeOf(body.purchaseDate) ?? textOf(body.purchaseDate),
      status: idText(body.status),
      totalAmount: body.totalAmount,
      items: lines,
      discountApplication: discount && { type: discount.type.toLowerCase(), amount: discount.amount },
      properties: body.properties,
    });
    const { canBeCreated } = settings.partners.pipeline;
    const item = { contact: { ...contact, canBeCreated }, order };
    return [{ kind: "item", path: "", inner: "/order", operation: "upsertOrder", body: item }, ...refused];
  },
});
