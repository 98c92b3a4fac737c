import type { MailAttachment } from "./attachments.ts";

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
  /** A key signs it, and needs the hash of its body. */
  readonly isSigned: boolean;
  /** Milliseconds since 1970. */
  readonly nowMs: number;
}

/** A mail as it goes over the wire, but for its signatures. */
export interface ComposedMail {
  /** Whole mail with CRLF, without dot stuffing. */
  readonly bytes: Uint8Array;
  /** SHA-256 of the body in its relaxed canonical form, as base64; undefined for a mail that is not signed. */
  readonly bodyHash?: string;
}
