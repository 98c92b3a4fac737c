import type { MailAttachment } from "@headwater/messaging";

/** Bytes that attachments of messages take in a process, from their composition until their window has ended. */
export const ATTACHMENT_MEMORY_BYTES = 192 * 1024 * 1024;
/** Characters of attachments that are loaded for a claim: those of other messages have to wait. */
export const ATTACHMENTS_LOADED_MAX = 16 * 1024 * 1024;
/** Number of copies of an attachment: the stored one, one in the composed message, and in what is written to the connection. */
const COPIES = 3;

/** Memory that one window holds. */
export interface AttachmentHold {
  /** Takes the memory of a message's attachments. @returns false when there is none left for this account. */
  take(attachments: readonly MailAttachment[]): boolean;
  release(): void;
}

/**
 * Shares the memory of attachments: an account has at most as much as it leaves free, so that a server that hangs with large messages holds up none
 * of another account's.
 */
export class AttachmentMemory {
  readonly #heldBy = new Map<number, number>();
  #free: number;

  constructor(bytes: number = ATTACHMENT_MEMORY_BYTES) {
    this.#free = bytes;
  }

  /** Begins a window of an account, which is released at its end. */
  open(account: number): AttachmentHold {
    let own = 0;
    return {
      take: (attachments) => {
        const bytes = COPIES * attachments.reduce((sum, { content }) => sum + content.length, 0);
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
