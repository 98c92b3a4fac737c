import { createHash } from "node:crypto";
import MailComposer from "nodemailer/lib/mail-composer";
import { bodyOf } from "./dkim.ts";
import { mailHeaders, oneLine } from "./mailHeaders.ts";
import type { ComposedMail, MailToCompose } from "./mailToCompose.ts";

const CR = 13;

const LF = 10;

const SPACE = 32;

const TAB = 9;

const BOUNDARY_CHARACTERS = 32;

/** Puts a mail together, as yet without signatures: the time that it takes follows from its content. */
export async function composeMail(mail: MailToCompose): Promise<ComposedMail> {
  const { headers, to, html, text, nowMs } = mail;
  const domain = headers.fromEmail.slice(headers.fromEmail.lastIndexOf("@") + 1).toLowerCase();
  const composed = await new MailComposer({
    from: { name: oneLine(headers.fromDesc), address: headers.fromEmail },
    to: { name: "", address: to },
    subject: oneLine(headers.subject),
    ...(headers.replyEmail !== undefined && headers.replyEmail !== "" && { replyTo: headers.replyEmail }),
    html,
    text,
    messageId: messageIdOf(mail.mcId, domain),
    baseBoundary: boundaryOf(mail),
    date: new Date(nowMs),
    headers: Object.fromEntries(Object.entries(mailHeaders(mail)).map(([name, value]) => [name, prepared(value)])),
    attachments: (mail.attachments ?? []).map((file) => ({ ...file, encoding: "base64" })),
    disableFileAccess: true,
    disableUrlAccess: true,
    newline: "\r\n",
  })
    .compile()
    .build();
  return mail.isSigned ? { bytes: composed, bodyHash: bodyHashOf(composed) } : { bytes: composed };
}

function bodyHashOf(composed: Buffer): string {
  return createHash("sha256")
    .update(relaxedBody(bodyOf(composed)))
    .digest("base64");
}

/** A mail that is composed again is the same to the byte. Whoever writes a part cannot know the boundary: it follows from all of them. */
function boundaryOf({ mcId, html, text }: MailToCompose): string {
  return createHash("sha256").update(`boundary\n${mcId}\n${html}\n${text}`).digest("hex").slice(0, BOUNDARY_CHARACTERS);
}

/** A value that stands as it is: nodemailer would encode or fold it. */
function prepared(value: string) {
  return { prepared: true, foldLines: false, value };
}

/** Returns the `Message-ID` of a send: the same for every try of one `mcID`, and nothing can be read from it. */
export function messageIdOf(mcId: string, domain: string): string {
  return `<${createHash("sha256").update(`message-id\n${mcId}`).digest("base64url")}@${domain.toLowerCase()}>`;
}

/**
 * Returns a body in the relaxed canonical form of DKIM (RFC 6376, 3.4.4), in one pass: spaces and tabs become one space and go at the
 * end of a line, empty lines go at the end of the body.
 */
export function relaxedBody(body: Buffer): Buffer {
  // A last line without an end gets one.
  const relaxed = Buffer.allocUnsafe(body.length + 2);
  let length = 0;
  let emptyLines = 0;
  let hasSpace = false;
  for (let index = 0; index < body.length; index++) {
    const byte = body[index] ?? 0;
    if (byte === SPACE || byte === TAB) {
      hasSpace = true;
      continue;
    }
    if (byte === CR && body[index + 1] === LF) {
      emptyLines++;
      hasSpace = false;
      index++;
      continue;
    }
    for (; emptyLines > 0; emptyLines--) {
      relaxed[length++] = CR;
      relaxed[length++] = LF;
    }
    if (hasSpace) relaxed[length++] = SPACE;
    hasSpace = false;
    relaxed[length++] = byte;
  }
  if (length === 0) return Buffer.alloc(0);
  relaxed[length++] = CR;
  relaxed[length++] = LF;
  return relaxed.subarray(0, length);
}
