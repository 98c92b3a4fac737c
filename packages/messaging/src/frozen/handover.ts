import type { MailAttachment } from "../compose/attachments.ts";
import type { SendOutcome } from "../outcomes/classifyAnswer.ts";
import type { FrozenMessage } from "./frozenMessage.ts";

/** Parts of an email for a service that puts the mail together itself. */
export interface RelayedMail {
  /** Headers next to those of the message, by name: `List-Unsubscribe` and its like. */
  readonly headers: Readonly<Record<string, string>>;
  readonly fromName: string;
  readonly replyTo?: string | undefined;
  readonly attachments: readonly MailAttachment[];
}

/** A message on its way out: rendered, composed and signed. */
export interface OutgoingMail {
  readonly mcId: string;
  readonly channel: string;
  /** Transactional ones wait for a connection before all others. */
  readonly classification: FrozenMessage["classification"];
  /** Recipient: an address of the channel. */
  readonly address: string;
  /** Recipients of the envelope next to it, whose refusal counts for nothing. */
  readonly copies: readonly string[];
  /** Sender of the envelope, for email. */
  readonly returnPath: string;
  /** Whole mail with CRLF, for email that is not relayed. */
  readonly raw?: Buffer;
  /** Given for email over a service that puts it together. */
  readonly relayed?: RelayedMail;
  /** Rendered bodies by media type, with tracked links where the channel has them. */
  readonly content: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  /** False once the sender's claim on the message is over. Asked before the first byte and before the final dot. */
  readonly isClaimed?: () => boolean;
}

/** Outcome of one attempt, with the server's words. */
export interface Delivered {
  readonly outcome: SendOutcome;
  readonly code?: number;
  /** One line of at most 200 characters. */
  readonly text?: string;
  /** The receiver's own id of the message. */
  readonly providerId?: string;
}

/** One transport, ready to be used. An attempt never throws: whatever happens is an outcome. */
export interface Handover {
  /** @param signal aborts the attempt: what was under way is `unknown` when the server may have it, else `deferred`. */
  deliver(mail: OutgoingMail, signal: AbortSignal): Promise<Delivered>;
  close(): Promise<void>;
}
