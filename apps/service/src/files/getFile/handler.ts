import { type Answer, refusal } from "@headwater/http";
import { type FileWithAccount, readFileRow } from "@headwater/stores/files";
import type { ServicePorts } from "../../ports.ts";
import { readRange } from "../byteRange.ts";
import { type GivenLink, isValidLink } from "../fileLink.ts";

/**
 * The bytes of a file, or a range of them.
 * Throws 401 `AUTHENTICATION_FAILED` for a link that is not ours or too old, 404 `RECORD_NOT_FOUND`, 416.
 */
export async function readFile(
  link: GivenLink,
  range: string | undefined,
  { postgres, files, clock, secret }: Pick<ServicePorts, "postgres" | "files" | "clock" | "secret">,
): Promise<Answer> {
  if (!isValidLink(link, secret, clock.nowMs())) {
    throw refusal("AUTHENTICATION_FAILED", "The link is invalid or has expired. Fetch the job again for a new link.");
  }
  const file = await readFileRow(postgres, link.id);
  if (file === undefined) throw refusal("RECORD_NOT_FOUND", "The file does not exist or has been deleted.");
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
    extra: { limit: { what: "bytes", max: bytes } },
  });
}
