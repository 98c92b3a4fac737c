import type { HeadwaterError } from "@headwater/kernel";
import { refusal } from "../answers/refusal.ts";

export interface BodyRules {
  /** Bound on the body, counted after decompression. */
  readonly bytesMax: number;
  readonly mediaTypes: readonly string[];
  /** A call without a body is one whose body has no members. */
  readonly isOptional?: boolean;
  /** Status of a body that cannot be decoded: 400, on intake 422. */
  readonly parseErrorStatus: number;
  /** Members that such a refusal has besides. */
  readonly parseErrorExtra?: Readonly<Record<string, unknown>>;
  /** Default 415. `NOT_ACCEPTABLE`: 406, also where there is no body. */
  readonly wrongTypeCode?: "UNSUPPORTED_MEDIA_TYPE" | "NOT_ACCEPTABLE";
}

export interface Refused {
  readonly kind: "refused";
  readonly error: HeadwaterError;
}

function refused(error: HeadwaterError): Refused {
  return { kind: "refused", error };
}

export function tooLarge(what: "bytes" | "decompressed_bytes", max: number): Refused {
  const message = `The body exceeds ${max} bytes${what === "bytes" ? "" : " after decompression"}.`;
  return refused(refusal("PAYLOAD_TOO_LARGE", message, { extra: { limit: { what, max } } }));
}

export function wrongType({ mediaTypes, wrongTypeCode = "UNSUPPORTED_MEDIA_TYPE" }: BodyRules): Refused {
  return refused(refusal(wrongTypeCode, `The content type must be ${mediaTypes.join(" or ")}.`));
}

export function wrongEncoding(encoding: string): Refused {
  const message = `The content encoding ${JSON.stringify(encoding.slice(0, 64))} is not supported. Use gzip.`;
  const extra = { headers: { "Accept-Encoding": "gzip" } };
  return refused(refusal("UNSUPPORTED_MEDIA_TYPE", message, { extra }));
}

/** The body of a request that is not what its encoding says. */
export function badEncoding(
  { parseErrorStatus: status, parseErrorExtra: extra = {} }: Pick<BodyRules, "parseErrorStatus" | "parseErrorExtra">,
  encoding: "gzip" | "UTF-8",
): Refused {
  const details = [{ path: "", code: "bad_encoding", message: `The body is not valid ${encoding}.` }];
  const message = `The body is not valid ${encoding}.`;
  return refused(refusal("INVALID_JSON_PROVIDED", message, { status, details, extra }));
}

export function tooSlow(): Refused {
  const message = "The body arrived too slowly. Send it within 60 seconds, and at 1 KiB/s or more over any 10 seconds.";
  const extra = { headers: { Connection: "close" } };
  return refused(refusal("REQUEST_TIMEOUT", message, { extra }));
}

/** Ends a streamed body, which may take longer than others. */
export function streamTooSlow(): HeadwaterError {
  const message = "The body arrived too slowly. Send it at 1 KiB/s or more over any 10 seconds.";
  return refusal("REQUEST_TIMEOUT", message, { extra: { headers: { Connection: "close" } } });
}

export function noMemory(): Refused {
  return refused(refusal("SERVICE_UNAVAILABLE", "Too many request bodies are in flight. Retry later."));
}
