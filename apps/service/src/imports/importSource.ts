import type { ErrorDetail } from "@headwater/kernel";
import { readUpload, type Upload } from "@headwater/stores/imports";
import type { Session } from "@headwater/stores/postgres";
import { z } from "zod";
import { importRefused } from "./closedBody.ts";

const UPLOAD = /^upload:([0-9a-f]{24})$/;
const UNUSED_KEPT_MS = 7 * 86_400_000;

/** Source of the rows: a file that was uploaded for it. */
export const importSource = z.strictObject({
  transport: z.literal("file"),
  /** `upload:<id>`, as the upload answered. */
  path: z.string().max(256),
});
export type ImportSource = z.output<typeof importSource>;

export const importSourceExample: ImportSource = { transport: "file", path: "upload:65f0c0ffee65f0c0ffee0001" };

/** @throws HeadwaterError 422 `IMPORT_CONFIGURATION_ERROR` for an upload that is not the account's, or is gone. */
export async function findUpload(
  session: Session,
  { path }: ImportSource,
  { account, nowMs }: { readonly account: number; readonly nowMs: number },
): Promise<Upload> {
  const [, id] = UPLOAD.exec(path) ?? [];
  if (id === undefined) throw refused("bad_value", "The path must be `upload:<id>`, as an upload answers it.");
  const upload = await readUpload(session, account, id);
  const isOld = upload?.job === null && upload.createdAt + UNUSED_KEPT_MS <= nowMs;
  if (upload === undefined || upload.isCopy || upload.sha256 === "" || isOld) {
    throw uploadGone();
  }
  return upload;
}

/** Makes the refusal of an upload whose row or bytes are not there. */
export function uploadGone() {
  return refused("unknown_reference", "The upload does not exist, or is not kept any more.");
}

function refused(code: ErrorDetail["code"], message: string) {
  return importRefused([{ path: "/source/path", code, message }]);
}
