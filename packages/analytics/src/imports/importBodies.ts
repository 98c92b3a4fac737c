import { activityImportOptions, contactImportOptions, importOptions, orderImportOptions } from "@headwater/contracts";
import { publishedAs } from "@headwater/http";
import { z } from "zod";
import { readClosedBody } from "../closedBody.ts";
import { sourceMember } from "./source/sourceMember.ts";

/** Members that all imports have. `readSource` and `readNotices` read those whose mistakes have codes of their own. */
const members = {
  source: publishedAs(z.unknown(), sourceMember),
  ...importOptions,
  confirmEmail: publishedAs(z.unknown(), z.string().describe("Is mailed when the job has ended.")).optional(),
  jobStatusWebhookUrl: publishedAs(
    z.unknown(),
    z.string().describe("Is called when the job has ended, signed with the account's `webhookSecret`."),
  ).optional(),
} as const;

export const activityBody = readClosedBody(z.strictObject({ ...members, ...activityImportOptions }));
export const contactBody = readClosedBody(z.strictObject({ ...members, ...contactImportOptions }));
export const orderBody = readClosedBody(z.strictObject({ ...members, ...orderImportOptions }));
export const rowsBody = readClosedBody(z.strictObject(members));

type NamingOptions = Pick<z.output<z.ZodObject<typeof contactImportOptions>>, "mapping" | "identifyBy" | "lists">;

/** Members that all of them have, and those that name something of the account. */
export type ImportBody = Partial<z.output<z.ZodObject<typeof members>>> & Partial<NamingOptions>;
