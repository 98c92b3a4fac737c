import type { MailAttachment } from "../../compose/attachments.ts";
import type { OutgoingMail } from "../../frozen/handover.ts";

/** Bytes that composed messages and their attachments take in a process, until their window has ended. */
const MESSAGE_MEMORY_BYTES = 192 * 1024 * 1024;
/** Characters of attachments that are loaded for a claim: those of other messages have to wait. */
export const ATTACHMENTS_LOADED_MAX = 16 * 1024 * 1024;
/** Number of copies of an attachment: the stored one, one in the composed message, and in what is written to the connection. */
const ATTACHMENT_COPIES = 3;
const CHARACTER_BYTES = 2;

/** Memory that one window holds. */
export interface MessageHold {
  /** @returns false when so many bytes are not left for this account; it then holds as many as before. */
  take(bytes: number): boolean;
  release(): void;
}

/**
 * Shares the memory of messages: an account has at most as much as it leaves free, so that a server that hangs with large messages holds up none
 * of another account's. Small messages are never held up: all claims together have fewer bytes.
 */
export class MessageMemory {
  readonly #heldBy = new Map<number, number>();
  #free: number;

  constructor(bytes: number = MESSAGE_MEMORY_BYTES) {
    this.#free = bytes;
  }

  /** Begins a window of an account, which is released at its end. */
  open(account: number): MessageHold {
    let own = 0;
    return {
      take: (bytes) => {
        if (bytes > 0 && !this.#admits(account, bytes)) return false;
        own += bytes;
        this.#add(account, bytes);
        return true;
      },
      release: () => {
        this.#add(account, -own);
        own = 0;
      },
    };
  }

  #admits(account: number, bytes: number): boolean {
    const held = this.#heldBy.get(account) ?? 0;
    return bytes <= this.#free && (held === 0 || held + bytes <= this.#free - bytes);
  }

  #add(account: number, bytes: number): void {
    this.#free -= bytes;
    const held = (this.#heldBy.get(account) ?? 0) + bytes;
    if (held > 0) this.#heldBy.set(account, held);
    else this.#heldBy.delete(account);
  }
}

/** Returns the bytes that attachments take while a message with them is composed and sent. */
export function attachmentBytes(attachments: readonly MailAttachment[]): number {
  return ATTACHMENT_COPIES * attachments.reduce((sum, { content }) => sum + content.length, 0);
}

/** Returns the bytes of a composed message next to its attachments. */
export function composedBytes({ raw, content }: OutgoingMail, attachments: readonly MailAttachment[]): number {
  const characters = Object.values(content).reduce((sum, text) => sum + text.length, 0);
  const attached = attachments.reduce((sum, file) => sum + file.content.length, 0);
  return CHARACTER_BYTES * characters + Math.max(0, (raw?.length ?? 0) - attached);
}
