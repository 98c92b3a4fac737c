import { createHmac, timingSafeEqual } from "node:crypto";

const VALID_MS = 24 * 3_600_000;

/** A link to a file that needs no key, for 24 hours. @returns path and query. */
export function fileLink(id: string, secret: string, nowMs: number): string {
  const expires = nowMs + VALID_MS;
  return `/v2/files/${id}?expires=${expires}&signature=${signatureOf(id, expires, secret)}`;
}

export interface LinkInput {
  readonly id: string;
  readonly expires: number;
  readonly signature: string;
}

/** Returns whether this installation made the link and its time is not over. */
export function isValidLink({ id, expires, signature }: LinkInput, secret: string, nowMs: number): boolean {
  const [own, input] = [Buffer.from(signatureOf(id, expires, secret)), Buffer.from(signature)];
  return own.length === input.length && timingSafeEqual(own, input) && nowMs < expires;
}

/** The text before the id keeps it apart from all else that is signed with the secret. */
function signatureOf(id: string, expires: number, secret: string): string {
  return createHmac("sha256", secret).update(`file\n${id}\n${expires}`).digest("base64url");
}
