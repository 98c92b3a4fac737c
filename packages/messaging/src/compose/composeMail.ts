import { createHash } from "node:crypto";
import MailComposer from "nodemailer/lib/mail-composer";
import { bodyOf } from "./dkim.ts";
import { mailHeaders, oneLine } from "./mailHeaders.ts";
import type { ComposedMail, MailToCompose } from "./mailToCompose.ts";
import { messageIdOf } from "./messageId.ts";
import { relaxedBody } from "./relaxedBody.ts";

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
