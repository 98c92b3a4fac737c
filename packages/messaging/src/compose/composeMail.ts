import { createHash } from "node:crypto";
import MailComposer from "nodemailer/lib/mail-composer";
import type { MailAttachment } from "./attachments.ts";
import { type DkimKey, dkimSignatures } from "./dkim.ts";
import { messageIdOf } from "./messageId.ts";

const BOUNDARY_CHARACTERS = 32;

/** A rendered email on its way to one recipient. */
export interface MailToCompose {
  readonly mcId: string;
  readonly classification: "promotional" | "transactional";
  readonly to: string;
  readonly headers: {
    readonly subject: string;
    readonly fromEmail: string;
    readonly fromDesc: string;
    readonly replyEmail?: string;
  };
  readonly html: string;
  readonly text: string;
  /** Ways out of promotional mail: the address over https, and the mailbox of a transport with a return path; without one it is where replies go. */
  readonly unsubscribe?: { readonly url: string; readonly mailto?: string };
  /** Name of the list, as a domain. */
  readonly listId?: string;
  /** Four parts that mailbox providers count complaints by: campaign, account, type, sender. */
  readonly feedbackId?: string;
  readonly attachments?: readonly MailAttachment[];
  readonly dkim: readonly DkimKey[];
  /** Milliseconds since 1970. */
  readonly nowMs: number;
}

/** Puts a mail together as it goes over the wire, signed by every key whose domain is the sender's. @returns with CRLF, without dot stuffing. */
export async function composeMail(mail: MailToCompose): Promise<Buffer> {
  const { headers, to, html, text, dkim, nowMs } = mail;
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
  const keys = dkim.filter((key) => domain === key.domain || domain.endsWith(`.${key.domain}`));
  const signatures = await dkimSignatures(composed, keys, nowMs);
  return Buffer.concat([Buffer.from(signatures.join(""), "latin1"), composed]);
}

/** A mail that is composed again is the same to the byte. Whoever writes a part cannot know the boundary: it follows from all of them. */
function boundaryOf({ mcId, html, text }: MailToCompose): string {
  return createHash("sha256").update(`boundary\n${mcId}\n${html}\n${text}`).digest("hex").slice(0, BOUNDARY_CHARACTERS);
}

/** Facts of a mail that its own headers follow from. */
type MailFacts = Pick<MailToCompose, "classification" | "unsubscribe" | "listId" | "feedbackId"> & {
  readonly headers: Pick<MailToCompose["headers"], "fromEmail" | "replyEmail">;
};

/** Returns the headers that a mail has beside those of its message: promotional mail can be unsubscribed from by one click, transactional mail says that no person wrote it. */
export function mailHeaders(mail: MailFacts): Record<string, string> {
  const { classification, unsubscribe, listId, feedbackId } = mail;
  if (classification === "transactional") return { "Auto-Submitted": "auto-generated" };
  return {
    ...(unsubscribe !== undefined && {
      "List-Unsubscribe": oneLine(`<${unsubscribe.url}>, <mailto:${unsubscribe.mailto ?? repliesOf(mail)}>`),
      "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    }),
    ...(listId !== undefined && { "List-Id": oneLine(`<${listId}>`) }),
    ...(feedbackId !== undefined && { "Feedback-ID": oneLine(feedbackId) }),
  };
}

/** Programs that know no One-Click write a mail: where no program takes it in, a person reads it. */
function repliesOf({ headers: { replyEmail = "", fromEmail } }: MailFacts): string {
  const address = oneLine(replyEmail.includes("@") ? replyEmail : fromEmail).toWellFormed();
  return `${encodeURIComponent(address).replaceAll("%40", "@")}?subject=unsubscribe`;
}

/** A value that stands as it is: nodemailer would encode or fold it. */
function prepared(value: string) {
  return { prepared: true, foldLines: false, value };
}

function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, " ").trim();
}
