import { isUtf8 } from "node:buffer";
import PostalMime, { type Address, type Attachment, type Email } from "postal-mime";
import { type DeliveryStatus, parseDeliveryStatus } from "./deliveryStatus.ts";
import { mailLimits } from "./mailLimits.ts";
import { readPlainReport, unknownReport } from "./plainReports.ts";
import { parseFieldGroups, type ReportFields } from "./reportFields.ts";

/** Kinds of mail, whoever sent it. */
export type MailContent =
  /** Report of RFC 3464, or one that mail systems without it write. */
  | { readonly kind: "delivery"; readonly statuses: readonly DeliveryStatus[] }
  /** Complaint of RFC 5965. `original` is the beginning of the mail that it is about. */
  | { readonly kind: "feedback"; readonly feedbackType: string; readonly original: string }
  /** Answer that a machine gives for a person: out of office, a ticket system. */
  | { readonly kind: "auto-reply" }
  /** Anything else. `asReport` is what it says if it is a report: nobody else writes without a sender. */
  | { readonly kind: "letter"; readonly asReport: DeliveryStatus }
  /** Mail beyond the limits of parsing. */
  | { readonly kind: "unreadable" };

export interface IncomingMail {
  readonly content: MailContent;
  /** Addresses to which it was sent, as its headers say. */
  readonly addresses: readonly string[];
}

const OPTIONS = {
  forceRfc822Attachments: true,
  maxNestingDepth: mailLimits.nesting,
  maxHeadersSize: mailLimits.headersBytes,
} as const;
const STATUS_PARTS = ["message/delivery-status", "message/global-delivery-status"];
const ORIGINAL_PARTS = ["message/rfc822", "message/global", "text/rfc822-headers", "message/rfc822-headers"];
const RECIPIENT_HEADERS = new Set(["delivered-to", "x-original-to", "envelope-to", "x-delivered-to"]);

/** Reads the head of a mail. Its time is bounded by the lines of the head. */
export async function readMail(head: Buffer): Promise<IncomingMail> {
  const email = await parse(head);
  if (email === undefined) return { content: { kind: "unreadable" }, addresses: [] };
  return { content: contentOf(email), addresses: addressesOf(email) };
}

/** The parser throws for one reason alone: a mail that passes its limits. */
async function parse(head: Buffer): Promise<Email | undefined> {
  try {
    return await PostalMime.parse(head, OPTIONS);
  } catch (error) {
    if (error instanceof Error) return undefined;
    throw error;
  }
}

function contentOf(email: Email): MailContent {
  const feedback = email.attachments.find(({ mimeType }) => mimeType === "message/feedback-report");
  if (feedback !== undefined) return feedbackOf(feedback, email);
  const bodies = email.attachments.filter(({ mimeType }) => STATUS_PARTS.includes(mimeType)).map(textOf);
  if (bodies.length > 0) {
    const statuses = bodies.flatMap(parseDeliveryStatus).slice(0, mailLimits.reported);
    if (statuses.length > 0) return { kind: "delivery", statuses };
  }
  const failed = header(email, "x-failed-recipients");
  const isMarked = /^multipart\/report\b/i.test(header(email, "content-type") ?? "");
  const plain = {
    text: email.text ?? "",
    subject: email.subject ?? "",
    failed,
    isAutoReply: !isMarked && isAutoReply(email),
  };
  const statuses = readPlainReport(plain);
  if (statuses !== undefined) return { kind: "delivery", statuses };
  return plain.isAutoReply ? { kind: "auto-reply" } : { kind: "letter", asReport: unknownReport(plain) };
}

function feedbackOf(report: Attachment, email: Email): MailContent {
  const groups: readonly ReportFields[] = parseFieldGroups(textOf(report));
  const [feedbackType = "other"] = groups.flatMap((fields) => fields.get("feedback-type") ?? []);
  const from = groups.flatMap((fields) => fields.get("original-mail-from") ?? []);
  const originals = email.attachments.filter(({ mimeType }) => ORIGINAL_PARTS.includes(mimeType)).map(textOf);
  return { kind: "feedback", feedbackType: feedbackType.toLowerCase(), original: [...from, ...originals].join("\n") };
}

/** RFC 3834, and what came before it. Reports carry `auto-generated` or `auto-replied` as well: they were read before. */
function isAutoReply(email: Email): boolean {
  const submitted = header(email, "auto-submitted") ?? "no";
  if (/^auto-replied/i.test(submitted)) return true;
  if (header(email, "x-autoreply") !== undefined || header(email, "x-autorespond") !== undefined) return true;
  return /^auto[_-]?reply/i.test(header(email, "precedence") ?? "") || isAwaySubject(email.subject ?? "");
}

/** Subjects of answers that say by no header that nobody wrote them. */
function isAwaySubject(subject: string): boolean {
  return /^(automatic reply|auto(matic)?[ -]?(reply|response)|out of (the )?office|abwesenheits(notiz|meldung)|automatische antwort)\b/i.test(
    subject,
  );
}

function addressesOf(email: Email): string[] {
  const named = [...(email.to ?? []), ...(email.cc ?? [])].flatMap(mailboxes);
  const direct = email.headers.flatMap(({ key, value }) => (RECIPIENT_HEADERS.has(key) ? [value] : []));
  const all = [...direct, ...named].map((one) => one.replaceAll(/[<>\s]/g, ""));
  return [...new Set(all)].filter((one) => one.includes("@")).slice(0, mailLimits.addresses);
}

function mailboxes({ address, group }: Address): string[] {
  return address === undefined ? (group ?? []).map((one) => one.address) : [address];
}

function header({ headers }: Email, name: string): string | undefined {
  return headers.find(({ key }) => key === name)?.value.trim();
}

/** Reports of RFC 6533 are in UTF-8; others may hold any bytes. */
function textOf({ content }: Attachment): string {
  if (typeof content === "string") return content;
  const bytes = Buffer.from(new Uint8Array(content));
  return bytes.toString(isUtf8(bytes) ? "utf8" : "latin1");
}
