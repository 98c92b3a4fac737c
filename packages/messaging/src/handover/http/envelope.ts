import { createHash } from "node:crypto";
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
}

export function envelopeOf({ mcId, channel, address, content, headers }: OutgoingMail): Envelope {
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
  };
}

/** Returns the key under which a service may know a message again. */
function messageKeyOf(mcId: string): string {
  return `msg_${createHash("sha256").update(`message-key\n${mcId}`).digest("base64url")}`;
}

function parsed(json: string): unknown {
  return JSON.parse(json);
}
