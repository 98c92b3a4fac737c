import { storableText } from "@headwater/api/paging/query";
import type { WritePorts } from "@headwater/api/ports";
import { coversScope } from "@headwater/contracts";
import { type Answer, type Caller, definePublicRoute, type Route, refusal } from "@headwater/http";
import { type FileWithAccount, readFileRow } from "@headwater/jobs/files/fileRows";
import { z } from "zod";
import type { RoutePorts } from "../../ports.ts";
import { isValidLink } from "../fileLink.ts";

const ONE_RANGE = /^bytes=(\d*)-(\d*)$/;

const params = z.strictObject({ id: storableText(64) });
const query = z.strictObject({
  /** Milliseconds since 1970. */
  expires: z.coerce.number().int().optional(),
  signature: z.string().max(64).optional(),
});

/** A file that is asked for by a signed link, or by a key of its account. */
interface FileAsked {
  readonly id: string;
  readonly expires?: number | undefined;
  readonly signature?: string | undefined;
  readonly caller?: Caller | undefined;
}

/**
 * The bytes of a file, or a range of them.
 * Throws 401 `AUTHENTICATION_FAILED` for a link that is not ours or too old, 404 `RECORD_NOT_FOUND`, 416.
 */
async function readFile(
  asked: FileAsked,
  range: string | undefined,
  { postgres, files, clock, secret }: Pick<RoutePorts, "postgres" | "files" | "clock" | "secret">,
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

/** Bytes of the media type that the job wrote. */
const bytes = { mediaType: "*/*", schema: { type: "string", format: "binary" } };

export function getFile(ports: WritePorts & Pick<RoutePorts, "files">): Route {
  return definePublicRoute({
    method: "GET",
    path: "/v2/files/{id}",
    operationId: "getFile",
    summary: "Downloads a file that a job wrote, by the link in the job. Files are kept for 30 days.",
    description:
      "The link is signed and valid for 24 hours and needs no key; without a signature a key of the account with `files:read` is needed. A `Range` header with one byte range gets a 206.",
    tags: ["files"],
    answers: {
      200: { description: "The whole file.", ...bytes },
      206: { description: "The requested range.", ...bytes },
      401: {
        description:
          "AUTHENTICATION_FAILED: the link is invalid or has expired, or there is neither signature nor key.",
      },
      403: { description: "INSUFFICIENT_SCOPE: the key may not read files." },
      404: { description: "RECORD_NOT_FOUND: the file does not exist or has been deleted." },
      416: { description: "RANGE_NOT_SATISFIABLE: the range starts past the end of the file." },
    },
    params,
    query,
    optionalAuth: "basic",
    handler: ({ params: { id }, query: { expires, signature }, header, sender: caller }) =>
      readFile({ id, expires, signature, caller }, header("range"), ports),
  });
}

interface ByteRange {
  /** Both included. */
  readonly start: number;
  readonly end: number;
}

/**
 * The one range that a `Range` header asks for (RFC 9110, 14). Several ranges and what cannot be read are ignored: the whole file.
 * @returns `unsatisfiable` for one that begins behind the end.
 */
export function readRange(header: string | undefined, bytes: number): ByteRange | "whole" | "unsatisfiable" {
  const match = ONE_RANGE.exec(header?.trim() ?? "");
  if (match === null) return "whole";
  const [, first = "", last = ""] = match;
  if (first === "" && last === "") return "whole";
  if (first === "") {
    const length = Math.min(Number(last), bytes);
    return length === 0 ? "unsatisfiable" : { start: bytes - length, end: bytes - 1 };
  }
  const start = Number(first);
  if (last !== "" && Number(last) < start) return "whole";
  if (start >= bytes) return "unsatisfiable";
  return { start, end: last === "" ? bytes - 1 : Math.min(Number(last), bytes - 1) };
}
