import type { FileStore } from "@headwater/jobs/files/fileStore";
import { readUpload, type Upload } from "@headwater/jobs/uploads/uploads";
import type { ErrorDetail } from "@headwater/kernel";
import type { Session } from "@headwater/postgres/connection/session";
import type { AddProblem } from "./addProblem.ts";

const UPLOAD = /^upload:([0-9a-f]{24})$/;
const UNUSED_RETENTION_MS = 7 * 86_400_000;

/** Reads the id of the upload that a source names. */
export function uploadIdOf(path: unknown, add: AddProblem): string | undefined {
  if (path === undefined) return add("/path", "required", "`path` is required.");
  const [, id] = (typeof path === "string" ? UPLOAD.exec(path) : null) ?? [];
  return id ?? add("/path", "bad_value", "The path must be `upload:<id>`, as an upload answers it.");
}

/** @returns undefined for an upload that is not the account's, or is gone. */
export async function findUpload(
  session: Session,
  { account, id, nowMs }: { readonly account: number; readonly id: string; readonly nowMs: number },
): Promise<Upload | undefined> {
  const upload = await readUpload(session, account, id);
  const isOld = upload?.job === null && upload.createdAt + UNUSED_RETENTION_MS <= nowMs;
  return upload?.isCopy || upload?.sha256 === "" || isOld ? undefined : upload;
}

/** Reads how an upload begins; undefined for bytes that are not there. */
export async function headOfUpload(
  { id }: Upload,
  { files, accountId, bytesMax }: { readonly files: FileStore; readonly accountId: string; readonly bytesMax: number },
): Promise<Buffer | undefined> {
  const head: Buffer[] = [];
  try {
    for await (const chunk of files.read({ accountId, id }, { start: 0, end: bytesMax - 1 })) head.push(chunk);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
  return Buffer.concat(head);
}

export const UPLOAD_GONE: ErrorDetail = {
  path: "/source/path",
  code: "unknown_reference",
  message: "The upload does not exist, or is not kept any more.",
};
