import type { MailAttachment } from "../../compose/attachments.ts";
import type { FrozenMessage } from "../../frozen/frozenMessage.ts";
import type { StoredSend } from "../../sends/sendRow.ts";

/** Message of a send, with what its want adds. */
export interface WantedMessage {
  readonly message: FrozenMessage;
  readonly mergeData: Readonly<Record<string, unknown>>;
  /** Activity that the message is sent for. */
  readonly event?: Readonly<Record<string, unknown>>;
  readonly attachments: readonly MailAttachment[];
  /** Its attachments were not loaded: too many others were. */
  readonly isTooMuch?: boolean;
  /** Variant of an experiment; null where there is none. */
  readonly variant: string | null;
  /** The contact is among those that get nothing, to compare with. */
  readonly isHeldOut: boolean;
}

/** Finds the messages of sends. One that is not found any more has none. */
export interface MessageSource {
  load(account: number, sends: readonly StoredSend[]): Promise<ReadonlyMap<StoredSend, WantedMessage>>;
}
