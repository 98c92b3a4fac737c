import { coversScope } from "@headwater/contracts";
import { type Answer, type ApiKey, refusal } from "@headwater/http";
import { type FileWithAccount, readFileRow } from "@headwater/stores/files";
import type { ServicePorts } from "../../ports.ts";
import { readRange } from "../byteRange.ts";
import { isValidLink } from "../fileLink.ts";

/** A file that is asked for by a signed link, or by a key of its account. */
export interface FileAsked {
  readonly id: string;
  readonly expires?: number | undefined;
  readonly signature?: string | undefined;
  readonly caller?: ApiKey | undefined;
}

/**
 * The bytes of a file, or a range of them.
 * Throws 401 `AUTHENTICATION_FAILED` for a link that is not ours or too old, 404 `RECORD_NOT_FOUND`, 416.
 */
export async function readFile(
  asked: FileAsked,
  range: string | undefined,
  { postgres, files, clock, secret }: Pick<ServicePorts, "postgres" | "files" | "clock" | "secret">,
): Promise<Answer> {
  const account = accountOf(asked, (link) => isValidLink(link, secret, clock.nowMs()));
  const file = await readFileRow(postgres, asked.id);
  if (file === undefined || (account !== undefined && file.account !== account))
    throw refusal("RECORD_NOT_FOUND", "The file does not exist or has been deleted.");
  const wanted = readRange(range, file.bytes);
  if (wanted === "unsatisfiable") throw unsatisfiable(file);
  const part = wanted === "whole" ? { start: 0, end: file.bytes - 1 } : wanted;
  const headers = {
    ...headersOf(file),
    "Content-Length": String(part.end - part.start + 1),
    ...(wanted !== "whole" && { "Content-Range": `bytes ${part.start}-${part.end}/${file.bytes}` }),
  };
  return { status: wanted === "whole" ? 200 : 206, headers, stream: files.read(file, part) };
}

/** The only account whose files may be read; undefined for a link, which says itself what it opens. */
function accountOf(
  { id, expires, signature, caller }: FileAsked,
  isValid: (link: { readonly id: string; readonly expires: number; readonly signature: string }) => boolean,
): number | undefined {
  if (signature === undefined && expires === undefined) {
    if (caller === undefined)
      throw refusal("AUTHENTICATION_FAILED", "A file is read by a signed link or with an API key.");
    if (!coversScope(caller.scopes, SCOPE)) throw refusal("INSUFFICIENT_SCOPE", `The key lacks the scope ${SCOPE}.`);
    return caller.account.number;
  }
  if (isValid({ id, expires: expires ?? 0, signature: signature ?? "" })) return undefined;
  throw refusal("AUTHENTICATION_FAILED", "The link is invalid or has expired. Fetch the job again for a new link.");
}

const SCOPE = "files:read";

function headersOf({ contentType, name, sha256 }: FileWithAccount) {
  return {
    "Content-Type": contentType,
    "Content-Disposition": `attachment; filename="${name}"`,
    "Accept-Ranges": "bytes",
    "Cache-Control": "private, no-store",
    ETag: `"${sha256}"`,
  };
}

function unsatisfiable({ bytes }: FileWithAccount) {
  return refusal("RANGE_NOT_SATISFIABLE", `The file has ${bytes} bytes.`, {
    extra: { limit: { what: "bytes", max: bytes }, headers: { "Content-Range": `bytes */${bytes}` } },
  });
}
