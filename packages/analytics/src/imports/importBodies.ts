import { activityImportOptions, contactImportOptions, importOptions, orderImportOptions } from "@headwater/contracts";
import { z } from "zod";
import { sourceMember } from "./source/sourceMember.ts";

const notices = {
  confirmEmail: z.string().describe("Is mailed when the job has ended.").optional(),
  jobStatusWebhookUrl: z
    .string()
    .describe("Is called when the job has ended, signed with the account's `webhookSecret`.")
    .optional(),
};

/** Members that other parts of the service read, and answer with the path of every mistake. */
const unread = {
  source: z.unknown().optional(),
  confirmEmail: z.unknown().optional(),
  jobStatusWebhookUrl: z.unknown().optional(),
};

/** A body as the document shows it, and the shape that reads the rest of it. */
function bodyWith<Options extends z.ZodRawShape>(options: Options) {
  const documented = z.strictObject({ source: sourceMember, ...importOptions, ...options, ...notices });
  return { documented, shape: z.strictObject({ ...unread, ...importOptions, ...options }) };
}

export const activityBody = bodyWith(activityImportOptions);
export const contactBody = bodyWith(contactImportOptions);
export const orderBody = bodyWith(orderImportOptions);
export const rowsBody = bodyWith({});

/** Members that all of them have. */
export type ImportBody = z.output<(typeof rowsBody)["shape"]>;
