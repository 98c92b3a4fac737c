import type { FileStore } from "@headwater/stores/files";
import { readUpload, type Upload } from "@headwater/stores/imports";
import type { Session } from "@headwater/stores/postgres";
import { importRefused } from "../closedBody.ts";

const UPLOAD = /^upload:([0-9a-f]{24})$/;
const UNUSED_KEPT_MS = 7 * 86_400_000;
const AT = "/source/path";

/** Reads the id of the upload that a source names. @throws HeadwaterError 422 `IMPORT_CONFIGURATION_ERROR`. */
export function uploadIdOf(path: unknown): string {
  if (path === undefined) throw importRefused([{ path: AT, code: "required", message: "`path` is required." }]);
  const [, id] = (typeof path === "string" ? UPLOAD.exec(path) : null) ?? [];
  if (id !== undefined) return id;
  const message = "The path must be `upload:<id>`, as an upload answers it.";
  throw importRefused([{ path: AT, code: "bad_value", message }]);
}

/** @throws HeadwaterError 422 `IMPORT_CONFIGURATION_ERROR` for an upload that is not the account's, or is gone. */
export async function findUpload(
  session: Session,
  { account, id, nowMs }: { readonly account: number; readonly id: string; readonly nowMs: number },
): Promise<Upload> {
  const upload = await readUpload(session, account, id);
  const isOld = upload?.job === null && upload.createdAt + UNUSED_KEPT_MS <= nowMs;
  if (upload === undefined || upload.isCopy || upload.sha256 === "" || isOld) throw uploadGone();
  return upload;
}

/** Reads how an upload begins. @throws HeadwaterError 422 for bytes that are not there. */
export async function headOfUpload(
  { id }: Upload,
  { files, accountId, bytesMax }: { readonly files: FileStore; readonly accountId: string; readonly bytesMax: number },
): Promise<Buffer> {
  const head: Buffer[] = [];
  try {
    for await (const chunk of files.read({ accountId, id }, { start: 0, end: bytesMax - 1 })) head.push(chunk);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") throw uploadGone();
    throw error;
  }
  return Buffer.concat(head);
}

function uploadGone() {
  const message = "The upload does not exist, or is not kept any more.";
  return importRefused([{ path: AT, code: "unknown_reference", message }]);
}
