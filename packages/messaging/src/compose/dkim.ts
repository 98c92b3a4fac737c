import { createHash, type KeyObject, sign } from "node:crypto";
import { promisify } from "node:util";
import type { ComposedMail } from "./mailToCompose.ts";

/** Key that signs for a domain. */
export interface DkimKey {
  readonly domain: string;
  readonly selector: string;
  /** RSA or Ed25519. Parsed once: reading PEM takes as long as a signature. */
  readonly privateKey: KeyObject;
}

/** Headers that are signed. Each is named once more than the mail has it, so that none can be added. */
const SIGNED = [
  ...["From", "To", "Cc", "Subject", "Date", "Message-ID", "Reply-To", "Sender", "MIME-Version", "Content-Type"],
  ...["Content-Transfer-Encoding", "In-Reply-To", "References", "List-Id", "List-Unsubscribe"],
  ...["List-Unsubscribe-Post", "Feedback-ID", "Auto-Submitted"],
];
const END_OF_HEADERS = "\r\n\r\n";
const LINE_CHARACTERS = 72;
/** Signs in a thread of the pool: an RSA key of the largest size takes some milliseconds. */
const signAside = promisify(sign);

export interface Signing {
  /** Address of the sender: keys of its domain and of those above it sign. */
  readonly fromEmail: string;
  readonly keys: readonly DkimKey[];
  /** Milliseconds since 1970. */
  readonly nowMs: number;
}

/** Returns the keys that sign the mails of a sender. */
export function signingKeys({ fromEmail, keys }: Pick<Signing, "fromEmail" | "keys">): DkimKey[] {
  const domain = fromEmail.slice(fromEmail.lastIndexOf("@") + 1).toLowerCase();
  return keys.filter((key) => domain === key.domain || domain.endsWith(`.${key.domain}`));
}

/** Signs a mail with each key of its sender (RFC 6376, Ed25519 by RFC 8463), relaxed in headers and body. @returns the mail behind its signatures. */
export async function signMail(
  { bytes, bodyHash }: ComposedMail,
  { fromEmail, keys, nowMs }: Signing,
): Promise<Buffer> {
  const mail = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const own = signingKeys({ fromEmail, keys });
  if (own.length === 0) return mail;
  if (bodyHash === undefined) throw new Error("a mail with keys of its sender is composed as one that is signed");
  const headers = headersOf(mail);
  const signatures = await Promise.all(own.map((key) => signatureOf({ headers, bodyHash, nowMs }, key)));
  return Buffer.concat([Buffer.from(signatures.join(""), "latin1"), mail]);
}

/** Returns the body of a mail. */
export function bodyOf(mail: Buffer): Buffer {
  const end = mail.indexOf(END_OF_HEADERS);
  return end < 0 ? Buffer.alloc(0) : mail.subarray(end + END_OF_HEADERS.length);
}

interface MailToSign {
  readonly headers: readonly string[];
  readonly bodyHash: string;
  readonly nowMs: number;
}

async function signatureOf({ headers, bodyHash, nowMs }: MailToSign, key: DkimKey): Promise<string> {
  const { domain, selector, privateKey } = key;
  const isRsa = privateKey.asymmetricKeyType === "rsa";
  const fields = [
    `v=1; a=${isRsa ? "rsa" : "ed25519"}-sha256; c=relaxed/relaxed; d=${domain}; s=${selector}`,
    `t=${Math.floor(nowMs / 1_000)}; h=${namesOf(headers).join(":")}`,
    `bh=${bodyHash}`,
    "b=",
  ];
  const unsigned = `DKIM-Signature: ${fields.join(";\r\n ")}`;
  const signed = [...signedHeaders(headers).map((header) => `${relaxedHeader(header)}\r\n`), relaxedHeader(unsigned)];
  const data = Buffer.from(signed.join(""), "latin1");
  // RFC 8463 signs the hash, RSA hashes by itself.
  const signature = isRsa
    ? await signAside("sha256", data, privateKey)
    : await signAside(null, createHash("sha256").update(data).digest(), privateKey);
  return `${unsigned}${folded(signature.toString("base64"))}\r\n`;
}

/** Returns the headers of a mail, each with its folded lines and without the last CRLF. */
function headersOf(mail: Buffer): string[] {
  const end = mail.indexOf(END_OF_HEADERS);
  return mail.toString("latin1", 0, end < 0 ? mail.length : end).split(/\r\n(?![ \t])/);
}

function nameOf(header: string): string {
  return header.slice(0, header.indexOf(":")).trim().toLowerCase();
}

/** Names of a mail's headers, and each of them once more for one that is not there. */
function namesOf(headers: readonly string[]): string[] {
  const there = new Set(headers.map(nameOf));
  return SIGNED.flatMap((name) => (there.has(name.toLowerCase()) ? [name, name] : [name]));
}

/** Headers that the names take; a name without one takes nothing. */
function signedHeaders(headers: readonly string[]): string[] {
  return SIGNED.flatMap((name) => headers.findLast((header) => nameOf(header) === name.toLowerCase()) ?? []);
}

function relaxedHeader(header: string): string {
  const colon = header.indexOf(":");
  const value = header
    .slice(colon + 1)
    .replaceAll(/\r\n(?=[ \t])/g, "")
    .replaceAll(/[ \t]+/g, " ")
    .trim();
  return `${header.slice(0, colon).trim().toLowerCase()}:${value}`;
}

function folded(text: string): string {
  const count = Math.ceil(text.length / LINE_CHARACTERS);
  const lines = Array.from({ length: count }, (_, line) =>
    text.slice(line * LINE_CHARACTERS, (line + 1) * LINE_CHARACTERS),
  );
  return lines.join("\r\n ");
}
