import { refusal } from "@headwater/http";

const SHA_256 = /^sha-256=:([A-Za-z0-9+/]{43}=):$/i;
/** A member of the header: the name of an algorithm, and a digest of it. */
const DIGEST = /^[a-z*][a-z0-9_\-.*]*=:[A-Za-z0-9+/]+={0,2}:$/i;

/**
 * Reads the SHA-256 of `Repr-Digest` (RFC 9530); well-formed digests of other algorithms are passed over.
 * @returns hex, undefined when the header names none. @throws HeadwaterError 422 for one that cannot be read.
 */
export function readDigest(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  const given = header.split(",").map((part) => part.split(";")[0]?.trim() ?? "");
  const sha256 = given.find((part) => /^sha-256\s*=/i.test(part));
  const [, digest] = SHA_256.exec(sha256 ?? "") ?? [];
  const isRead = given.every((part) => DIGEST.test(part)) && (sha256 === undefined || digest !== undefined);
  if (!isRead) throw wrongDigest("`Repr-Digest` must be `sha-256=:<base64>:`. Nothing was kept.");
  if (digest === undefined) return undefined;
  return Buffer.from(digest, "base64").toString("hex");
}

/** @throws HeadwaterError 422 when the bytes that came have another checksum. */
export function expectDigest(expected: string | undefined, sha256: string): void {
  if (expected !== undefined && expected !== sha256)
    throw wrongDigest("The body does not have the checksum of `Repr-Digest`. Nothing was kept.");
}

function wrongDigest(message: string) {
  return refusal("VALIDATION_ERROR", message, { details: [{ path: "", code: "bad_value", message }] });
}
