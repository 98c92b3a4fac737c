import { newRequestId } from "@headwater/kernel";
import type { FrameAppend, FrameProducer } from "@headwater/topics";
import type { ReportedSend } from "../../sends/reportedSend.ts";
import type { TrackingToken } from "../../tracking/trackingToken.ts";
import type { TrackingTokens } from "../../tracking/trackingTokens.ts";
import { appendOf, type MessageEvent, type NamedToken, wishOf } from "../events/messageEvent.ts";
import type { IncomingReader } from "../incoming/createIncomingReader.ts";
import { bounceOf } from "./bounceOf.ts";
import { comparableAddress, type DeliveryStatus } from "./deliveryStatus.ts";
import type { NoteRefusal } from "./noteRefusal.ts";
import type { IncomingMail } from "./readMail.ts";
import { tokenInAddress, tokenInMail, tokensInText } from "./tokenInAddress.ts";

/** Looks up who got the send that a report is about. Rejects while the store is away. */
export type FindSend = (token: TrackingToken) => Promise<ReportedSend | undefined>;

export interface MailPorts {
  readonly reader: Pick<IncomingReader, "readMail">;
  readonly tokens: TrackingTokens;
  readonly findSend: FindSend;
  readonly producer: Pick<FrameProducer, "append">;
  /** Called with each refusal by policy of a batch message. */
  readonly noteRefusal: NoteRefusal;
  /** Milliseconds since 1970. */
  readonly nowMs: () => number;
}

/** Outcome of a mail for one send that it names. */
export const mailOutcomes = [
  "bounce",
  "complaint",
  "optout",
  "delayed",
  "delivered",
  "copy",
  "not-spam",
  "auto-reply",
  "letter",
  "unreadable",
  "test",
  "forgotten",
  /** It ended the process that read it. */
  "set-aside",
  "no-token",
] as const;
export type MailOutcome = (typeof mailOutcomes)[number];

/** A mail that has arrived. */
export interface ArrivedMail {
  readonly head: Buffer;
  /** Recipients of the envelope; without them those of its headers count. */
  readonly recipients?: readonly string[];
  /** False for `MAIL FROM:<>`, with which nobody asks for anything. */
  readonly hasSender: boolean;
}

/** Meaning of a mail: the event that it makes, or why it makes none. */
type Meaning =
  | { readonly kind: "event"; readonly event: Pick<MessageEvent, "name" | "facts"> }
  | { readonly kind: "nothing"; readonly outcome: MailOutcome };

/**
 * Takes a mail in: when it resolves, what the mail reports is on the log. A mail that was taken before changes nothing more, for its events
 * have the same `UID`s. Rejects while Kafka or the store is away; then nothing, or a part, is on the log, and the mail is to come again.
 */
export async function takeMail(ports: MailPorts, mail: ArrivedMail): Promise<MailOutcome[]> {
  const named = mail.recipients
    ?.map((address) => tokenInAddress(ports.tokens, address))
    .find((one) => one !== undefined);
  // Whoever has no token of ours costs no more than the search for one.
  const token = named ?? tokenInMail(ports.tokens, mail.head);
  if (token === undefined) return ["no-token"];
  const read = await ports.reader.readMail(token.account, mail.head);
  if (read === undefined) return ["set-aside"];
  const found = tokensOf(ports.tokens, mail, read);
  if (found.length === 0) return ["no-token"];
  const outcomes: MailOutcome[] = [];
  for (const token of found) outcomes.push(await takeFor(ports, token, { ...mail, content: read.content }));
  return outcomes;
}

/** A complaint of a feedback loop comes to an address of the operator: its token stands in the mail that it is about. */
function tokensOf(tokens: TrackingTokens, { recipients }: ArrivedMail, read: IncomingMail): TrackingToken[] {
  const addressed = (recipients ?? read.addresses).flatMap((address) => tokenInAddress(tokens, address) ?? []);
  const { content } = read;
  const all = addressed.length > 0 || content.kind !== "feedback" ? addressed : tokensInText(tokens, content.original);
  const bySend = new Map(all.map((token) => [JSON.stringify(sendOf(token)), token]));
  return content.kind === "feedback" ? [...bySend.values()].slice(0, 1) : [...bySend.values()];
}

function sendOf({ kind, account, message, contact, n }: TrackingToken) {
  return [kind, account, message, contact, n];
}

interface ReadMail extends ArrivedMail {
  readonly content: IncomingMail["content"];
}

async function takeFor(ports: MailPorts, token: TrackingToken, mail: ReadMail): Promise<MailOutcome> {
  if (token.type === "t") return "test";
  const send = await ports.findSend(token);
  if (send === undefined) return "forgotten";
  const meaning = meaningOf(token, send, mail);
  if (meaning.kind === "nothing") return meaning.outcome;
  const { event } = meaning;
  const named: NamedToken = { ...token, names: namesOf(send) };
  const at = { token: named, requestId: newRequestId(), atMs: ports.nowMs() };
  if (event.name === "optout") await ports.producer.append(wishOf({ ...at, status: "unsubscribed" }));
  await appendEvent(ports, appendOf([{ ...at, ...event }]));
  if (event.facts?.kind === "policy" && token.type === "b") await ports.noteRefusal(token);
  return event.name === "bounce" || event.name === "complaint" ? event.name : "optout";
}

async function appendEvent({ producer }: MailPorts, append: FrameAppend | undefined): Promise<void> {
  if (append !== undefined) await producer.append(append);
}

function namesOf({ accountId, cID, channel, variant }: ReportedSend): NamedToken["names"] {
  return { accountId, cID, channel: channel ?? "email", composedAt: 0, ...(variant !== null && { variant }) };
}

function meaningOf({ kind }: TrackingToken, send: ReportedSend, { content, hasSender }: ReadMail): Meaning {
  switch (content.kind) {
    case "delivery":
      return kind === "return" ? deliveryOf(send, content.statuses) : nothing("letter");
    case "feedback":
      return feedbackOf(content.feedbackType);
    case "letter":
      if (hasSender) return kind === "unsubscribe" ? happened({ name: "optout" }) : nothing("letter");
      return kind === "return" ? unknownOf(content.asReport) : nothing("letter");
    case "auto-reply":
    case "unreadable":
      return nothing(content.kind);
  }
}

/** Types that say nothing against the sender; an unknown type is to be read as `other` (RFC 5965, 3.1). */
function feedbackOf(feedbackType: string): Meaning {
  if (feedbackType.startsWith("not-spam")) return nothing("not-spam");
  if (/^(auth-failure|dmarc|virus)/.test(feedbackType)) return nothing("letter");
  return happened({ name: /^opt-?out/.test(feedbackType) ? "optout" : "complaint" });
}

/** A report names all recipients of an envelope: the refusal of a copy counts for nothing. */
function deliveryOf({ address, bcc }: ReportedSend, statuses: readonly DeliveryStatus[]): Meaning {
  const names = (status: DeliveryStatus, one: string | null) =>
    one !== null && status.addresses.includes(comparableAddress(one));
  const own = statuses.filter((status) => names(status, address));
  const others = statuses.filter((status) => !names(status, bcc) || names(status, address));
  const about = own.length > 0 ? own : others;
  const failed = about.find(({ action }) => action === "failed");
  if (failed !== undefined) return happened({ name: "bounce", facts: { ...bounceOf(failed) } });
  if (about.length === 0 && statuses.length > 0) return nothing("copy");
  return nothing(about.some(({ action }) => action === "delayed") ? "delayed" : "delivered");
}

/** A mail without a sender at a return path reports something: what it does not say is no reason to suppress anybody. */
function unknownOf(status: DeliveryStatus): Meaning {
  if (status.action === "delayed") return nothing("delayed");
  const { bounceType, kind = "other", ...facts } = bounceOf(status);
  const known = bounceType === "soft" && kind !== "other" ? kind : "unknown";
  return happened({ name: "bounce", facts: { ...facts, bounceType: "soft", kind: known } });
}

function happened(event: Pick<MessageEvent, "name" | "facts">): Meaning {
  return { kind: "event", event };
}

function nothing(outcome: MailOutcome): Meaning {
  return { kind: "nothing", outcome };
}
