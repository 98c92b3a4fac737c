import { storageShapes } from "@headwater/contracts";
import { z } from "zod";

const saved = { savedKey: z.string().describe("An entry of `storage` in the account's settings.").optional() };

/** The member `source` as the document describes it; `chooseSource` reads it, and answers with the path of every mistake. */
export const sourceMember = z.union([
  z
    .strictObject({ transport: z.literal("file"), path: z.string().describe("`upload:<id>`, as the upload answered.") })
    .describe("A file that was uploaded."),
  z
    .strictObject({ transport: z.enum(["http", "https"]), url: z.string() })
    .describe("A plain link. Private addresses are refused, behind redirects as well."),
  z.strictObject({
    transport: z.literal("s3"),
    ...storageShapes.s3.omit({ type: true }).partial().shape,
    ...saved,
  }),
  z.strictObject({
    transport: z.literal("sftp"),
    ...storageShapes.sftp.omit({ type: true }).partial().shape,
    ...saved,
  }),
  z.strictObject({
    transport: z.literal("azureblob"),
    ...storageShapes.azureblob.omit({ type: true }).partial().shape,
    ...saved,
  }),
]);

export const sourceExample = { transport: "file", path: "upload:65f0c0ffee65f0c0ffee0001" } as const;
