import { z } from "zod";
import { listBody, listRecord } from "../listRecords.ts";

export const body = z.strictObject({ ...listBody, canBeCreated: z.boolean().optional() });
export const record = z.strictObject({ ...listRecord, canBeCreated: z.boolean().optional() });
export type Body = z.infer<typeof body>;
export type AddContactsToListRecord = z.infer<typeof record>;
