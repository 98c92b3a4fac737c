import { shapes } from "@headwater/contracts";
import { z } from "zod";

const order = shapes.order.pick({ orderID: true, status: true }).required();

export const body = z.strictObject({
  source: shapes.source,
  suppressTriggers: shapes.suppressTriggers,
  contact: shapes.contact,
  order,
});
export const record = z.strictObject({ ...shapes.recordMembers, contact: shapes.contact, order });
export type SetOrderStatusRecord = z.infer<typeof record>;
