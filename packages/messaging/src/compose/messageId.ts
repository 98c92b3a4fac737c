import { createHash } from "node:crypto";

/** Returns the `Message-ID` of a send: the same for every try of one `mcID`, and nothing can be read from it. */
export function messageIdOf(mcId: string, domain: string): string {
  return `<${createHash("sha256").update(`message-id\n${mcId}`).digest("base64url")}@${domain.toLowerCase()}>`;
}
