import { hash } from "node:crypto";
import { refusal } from "@headwater/http";

/** The `ETag` of a version. */
export const etagOf = (version: string): string => `"${version}"`;

/** The version of a record that keeps none: it changes with what the record says, and is as it was when that is. */
export function contentVersion(content: unknown): string {
  return hash("sha256", JSON.stringify(content), "base64url");
}

/**
 * Checks the record against `If-Match` while it is locked. Throws 409 `VERSION_CONFLICT` when none of its tags is that of the record as it
 * is stored.
 * @param header absent: everything is expected; `*`: any version of an existing record.
 */
export function expectVersion(header: string | undefined, version: string): void {
  if (header === undefined || header.trim() === "*") return;
  const tags = header.split(",").map((tag) => tag.trim());
  if (tags.includes(etagOf(version))) return;
  throw refusal("VERSION_CONFLICT", "The record has changed since the version in If-Match.");
}
