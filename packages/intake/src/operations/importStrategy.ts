import { z } from "zod";

/** Rule for rows about something that exists already, and for rows about something that does not. */
export const importStrategy = z.enum(["insertOnly", "updateOnly", "upsert"]);
export type ImportStrategy = z.infer<typeof importStrategy>;
