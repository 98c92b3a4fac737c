import { shapes } from "@headwater/contracts";
import { z } from "zod";

export const body = z.strictObject({ source: shapes.source, contact: shapes.contact, order: shapes.order });
export type Body = z.infer<typeof body>;

export const record = z.strictObject({ ...shapes.recordMembers, contact: shapes.contact, order: shapes.order });
