import { z } from "zod";

/** Limit of all attachments of a call together, decoded. */
export const ATTACHMENTS_BYTES_MAX = 3 * 1024 * 1024;
const ATTACHMENTS_MAX = 20;
const LINE = /^[^\p{Cc}]+$/u;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const CONTENT_TYPE = /^[a-z0-9!#$&^_.+-]{1,127}\/[a-z0-9!#$&^_.+-]{1,127}$/i;

/** Files of a message; `content` is base64. */
export const mailAttachments = z
  .array(
    z.object({
      filename: z.string().min(1).max(255).regex(LINE, "has control characters"),
      contentType: z.string().regex(CONTENT_TYPE, "is not a media type"),
      content: z
        .string()
        .max(4 * ATTACHMENTS_BYTES_MAX)
        .regex(BASE64, "is not base64"),
    }),
  )
  .max(ATTACHMENTS_MAX)
  .refine((files) => files.reduce((bytes, { content }) => bytes + decodedBytes(content), 0) <= ATTACHMENTS_BYTES_MAX, {
    message: `are larger than ${ATTACHMENTS_BYTES_MAX} bytes together`,
    params: { code: "too_long" },
  });
export type MailAttachment = z.output<typeof mailAttachments>[number];

function decodedBytes(base64: string): number {
  return Math.floor((base64.length * 3) / 4) - (base64.endsWith("==") ? 2 : base64.endsWith("=") ? 1 : 0);
}
