import { z } from "zod";
import { listBody, listRecord } from "../listRecords.ts";

export const body = z.strictObject(listBody);
export const record = z.strictObject(listRecord);
export type Body = z.infer<typeof body>;
export type RemoveContactsFromListRecord = z.infer<typeof record>;
