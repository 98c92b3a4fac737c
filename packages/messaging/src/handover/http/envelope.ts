import { createHash } from "node:crypto";
import type { MailAttachment } from "../../compose/attachments.ts";
import type { OutgoingMail } from "../../frozen/handover.ts";

/** Body of a request, and what a transport's Liquid sees. Members that the channel does not have are absent. */
export interface Envelope {
  /** The same for every try of one `mcID`. */
  readonly id: string;
  readonly channel: string;
  readonly from: string;
  readonly to: string;
  readonly text: string;
  readonly subject?: string;
  readonly html?: string;
  readonly content?: unknown;
  readonly mcID: string;
  /** Headers that an email must carry, by name. This and all that follow are of email alone. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly fromName?: string;
  readonly replyTo?: string;
  readonly bcc?: readonly string[];
  /** `content` is base64. */
  readonly attachments?: readonly MailAttachment[];
}

export function envelopeOf(mail: OutgoingMail): Envelope {
  const { mcId, channel, address, content, headers } = mail;
  const { subject, from = headers.fromEmail ?? "" } = headers;
  const html = content["text/html"];
  const json = content["application/json"];
  return {
    id: messageKeyOf(mcId),
    channel,
    from,
    to: address,
    text: content["text/plain"] ?? "",
    ...(subject !== undefined && { subject }),
    ...(html !== undefined && { html }),
    ...(json !== undefined && { content: parsed(json) }),
    mcID: mcId,
    ...relayedMembers(mail),
  };
}

/** Members that a relay needs to put an email together. */
function relayedMembers({ relayed, copies }: OutgoingMail) {
  if (relayed === undefined) return {};
  const { headers, fromName, replyTo = "", attachments } = relayed;
  return {
    headers,
    ...(fromName !== "" && { fromName }),
    ...(replyTo !== "" && { replyTo }),
    ...(copies.length > 0 && { bcc: copies }),
    ...(attachments.length > 0 && { attachments }),
  };
}

/** Returns the key under which a service may know a message again. */
function messageKeyOf(mcId: string): string {
  return `msg_${createHash("sha256").update(`message-key\n${mcId}`).digest("base64url")}`;
}

function parsed(json: string): unknown {
  return JSON.parse(json);
}
