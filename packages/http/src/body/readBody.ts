import type { IncomingMessage } from "node:http";
import { gunzip } from "node:zlib";
import type { HeadwaterError } from "@headwater/kernel";
import { refusal } from "../answers/refusal.ts";
import type { BodyBudget } from "./bodyBudget.ts";
import type { BodyWatch } from "./bodyWatch.ts";
import { mediaTypeOf } from "./mediaType.ts";

export interface BodyRules {
  /** Bound on the body, counted after decompression. */
  readonly bytesMax: number;
  readonly mediaTypes: readonly string[];
  /** Status of a body that cannot be decoded: 400, on intake 422. */
  readonly parseErrorStatus: number;
  /** Default 415. `NOT_ACCEPTABLE`: 406, also where there is no body. */
  readonly wrongTypeCode?: "UNSUPPORTED_MEDIA_TYPE" | "NOT_ACCEPTABLE";
}

export type BodyResult =
  | { readonly kind: "body"; readonly bytes: Buffer; readonly mediaType: string; readonly heldBytes: number }
  | { readonly kind: "refused"; readonly error: HeadwaterError }
  /** The client hung up: there is nobody to answer. */
  | { readonly kind: "gone" };

export interface BodyReading {
  readonly rules: BodyRules;
  readonly watch: BodyWatch;
  readonly budget: BodyBudget;
  readonly done: (result: BodyResult) => void;
}

const NO_BYTES = Buffer.alloc(0);

/**
 * Reads a request's body into one buffer, within bounds of size, time and memory. Order of checks: size, content type,
 * then the bytes. A body that is refused is not read on here; `done` is called exactly once.
 */
export function readBody(request: IncomingMessage, reading: BodyReading): void {
  const { rules, done } = reading;
  const { headers } = request;
  const announced = headers["content-length"] === undefined ? undefined : Number(headers["content-length"]);
  if (announced !== undefined && announced > rules.bytesMax) {
    done(tooLarge("bytes", rules.bytesMax));
    return;
  }
  const mediaType = mediaTypeOf(headers["content-type"]);
  const isRightType = rules.mediaTypes.includes(mediaType);
  if (!isRightType && rules.wrongTypeCode === "NOT_ACCEPTABLE") {
    done(wrongType(rules));
    return;
  }
  const isEmpty = announced === 0 || (announced === undefined && headers["transfer-encoding"] === undefined);
  if (isEmpty) {
    done({ kind: "body", bytes: NO_BYTES, mediaType, heldBytes: 0 });
    return;
  }
  if (!isRightType) {
    done(wrongType(rules));
    return;
  }
  const encoding = headers["content-encoding"]?.trim().toLowerCase() ?? "identity";
  if (encoding !== "identity" && encoding !== "gzip") {
    done(wrongEncoding(encoding));
    return;
  }
  receive(request, announced, reading, (bytes, heldBytes) => {
    if (encoding === "gzip") decompress(bytes, heldBytes, mediaType, reading);
    else done({ kind: "body", bytes, mediaType, heldBytes });
  });
}

function receive(
  request: IncomingMessage,
  announced: number | undefined,
  { rules, watch, budget, done }: BodyReading,
  received: (bytes: Buffer, heldBytes: number) => void,
): void {
  let heldBytes = announced ?? 0;
  if (!budget.take(heldBytes)) {
    done(noMemory());
    return;
  }
  const chunks: Buffer[] = [];
  let length = 0;
  let isOver = false;
  const unwatch = watch.add({ receivedBytes: () => length, tooSlow: () => refuse(tooSlow()) });

  function end(): boolean {
    if (isOver) return false;
    isOver = true;
    unwatch();
    request.off("data", onData);
    request.off("end", onEnd);
    request.off("close", onClose);
    return true;
  }
  function refuse(result: BodyResult): void {
    if (!end()) return;
    budget.give(heldBytes);
    done(result);
  }
  function onData(chunk: Buffer): void {
    length += chunk.length;
    if (length > rules.bytesMax) {
      refuse(tooLarge("bytes", rules.bytesMax));
      return;
    }
    if (length > heldBytes) {
      if (!budget.take(length - heldBytes)) {
        refuse(noMemory());
        return;
      }
      heldBytes = length;
    }
    chunks.push(chunk);
  }
  function onEnd(): void {
    const [first = NO_BYTES] = chunks;
    if (end()) received(chunks.length > 1 ? Buffer.concat(chunks, length) : first, heldBytes);
  }
  function onClose(): void {
    refuse({ kind: "gone" });
  }
  request.on("data", onData);
  request.on("end", onEnd);
  request.on("close", onClose);
}

/** Stops at the bound: a bomb is never unpacked beyond it. */
function decompress(compressed: Buffer, heldBytes: number, mediaType: string, reading: BodyReading): void {
  const { rules, budget, done } = reading;
  gunzip(compressed, { maxOutputLength: rules.bytesMax }, (error, bytes) => {
    budget.give(heldBytes);
    if (error !== null) {
      const isBomb = "code" in error && error.code === "ERR_BUFFER_TOO_LARGE";
      done(isBomb ? tooLarge("decompressed_bytes", rules.bytesMax) : badEncoding(rules.parseErrorStatus, "gzip"));
    } else if (!budget.take(bytes.length)) {
      done(noMemory());
    } else {
      done({ kind: "body", bytes, mediaType, heldBytes: bytes.length });
    }
  });
}

function tooLarge(what: "bytes" | "decompressed_bytes", max: number): BodyResult {
  const message = `The body is greater than ${max} bytes${what === "bytes" ? "" : " after decompression"}.`;
  return { kind: "refused", error: refusal("PAYLOAD_TOO_LARGE", message, { extra: { limit: { what, max } } }) };
}

function wrongType({ mediaTypes, wrongTypeCode = "UNSUPPORTED_MEDIA_TYPE" }: BodyRules): BodyResult {
  const message = `The content type must be ${mediaTypes.join(" or ")}.`;
  return { kind: "refused", error: refusal(wrongTypeCode, message) };
}

function wrongEncoding(encoding: string): BodyResult {
  const message = `The content encoding ${JSON.stringify(encoding.slice(0, 64))} is not known; gzip is.`;
  const extra = { headers: { "Accept-Encoding": "gzip" } };
  return { kind: "refused", error: refusal("UNSUPPORTED_MEDIA_TYPE", message, { extra }) };
}

/** The body of a request that is not what its encoding says. */
export function badEncoding(status: number, encoding: "gzip" | "UTF-8"): BodyResult & { readonly kind: "refused" } {
  const details = [{ path: "", code: "bad_encoding", message: `The body is not ${encoding}.` }];
  const message = `The body cannot be read as ${encoding}.`;
  return { kind: "refused", error: refusal("INVALID_JSON_PROVIDED", message, { status, details }) };
}

function tooSlow(): BodyResult {
  const message = "The body did not come in time: 60 seconds in all, and 1 KiB a second over any 10 seconds.";
  const extra = { headers: { Connection: "close" } };
  return { kind: "refused", error: refusal("REQUEST_TIMEOUT", message, { extra }) };
}

function noMemory(): BodyResult {
  const message = "Too much is being received just now.";
  return { kind: "refused", error: refusal("SERVICE_UNAVAILABLE", message) };
}
