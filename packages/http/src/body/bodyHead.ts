import type { IncomingMessage } from "node:http";
import { type BodyRules, type Refused, tooLarge, wrongEncoding, wrongType } from "./refusedBody.ts";

/** Facts about a body that its request's headers give. */
export interface BodyHead {
  readonly kind: "head";
  readonly mediaType: string;
  readonly isGzip: boolean;
  readonly isEmpty: boolean;
  /** Undefined when it comes in chunks. */
  readonly announcedBytes: number | undefined;
}

/** Checks what can be checked before a byte of the body is read. Order of checks: size, content type, encoding. */
export function readBodyHead({ headers }: IncomingMessage, rules: BodyRules): BodyHead | Refused {
  const announcedBytes = headers["content-length"] === undefined ? undefined : Number(headers["content-length"]);
  if (announcedBytes !== undefined && announcedBytes > rules.bytesMax) return tooLarge("bytes", rules.bytesMax);
  const mediaType = mediaTypeOf(headers["content-type"]);
  const isRightType = rules.mediaTypes.includes(mediaType);
  if (!isRightType && rules.wrongTypeCode === "NOT_ACCEPTABLE") return wrongType(rules);
  const isEmpty = announcedBytes === 0 || (announcedBytes === undefined && headers["transfer-encoding"] === undefined);
  if (isEmpty) return { kind: "head", mediaType, isGzip: false, isEmpty, announcedBytes };
  if (!isRightType) return wrongType(rules);
  const encoding = headers["content-encoding"]?.trim().toLowerCase() ?? "identity";
  if (encoding !== "identity" && encoding !== "gzip") return wrongEncoding(encoding);
  return { kind: "head", mediaType, isGzip: encoding === "gzip", isEmpty, announcedBytes };
}

/** The media type of a `Content-Type` header, lower case, without parameters. */
function mediaTypeOf(header: string | undefined): string {
  if (header === undefined) return "";
  const semicolon = header.indexOf(";");
  return (semicolon < 0 ? header : header.slice(0, semicolon)).trim().toLowerCase();
}
