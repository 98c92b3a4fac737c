import { type FrozenMessage, readFrozenMessage } from "@headwater/messaging";
import { readFrozenMessages } from "@headwater/stores/batchMessages";
import type { Session } from "@headwater/stores/postgres";
import type { StoredSend } from "@headwater/stores/sends";
import { stableShare, variantAt } from "./stableShare.ts";
import type { MessageSource, WantedMessage } from "./wantedMessage.ts";

const PERCENT = 100;

/** Creates the source of sends of batch messages, which are as they were when the message began. */
export function createBatchSource(session: Session): MessageSource {
  return {
    async load(account, sends) {
      const ids = [...new Set(sends.map(({ message }) => message))];
      const rows = await readFrozenMessages(session, account, ids);
      const frozen = new Map(rows.map(({ id, frozen: text }) => [id, readFrozenMessage(text)]));
      return new Map(
        sends.flatMap((send) => {
          const message = frozen.get(send.message);
          return message === undefined ? [] : [[send, wantedOf(send, message)] as const];
        }),
      );
    },
  };
}

/** Returns what a frozen message says to a contact: its variant is always the same, and tests go to everybody. */
export function wantedOf(send: StoredSend, frozen: FrozenMessage): WantedMessage {
  const { experiment, ...message } = frozen;
  const variants = experiment?.variants ?? [];
  // A variant that was chosen once stays, also when another number answers for the contact.
  const chosen = variants.find(({ name }) => name === send.variant);
  const variant = chosen ?? variantAt(variants, stableShare("variant", send));
  return {
    message: variant === undefined ? message : { ...message, content: variant.content },
    variant: variant?.name ?? null,
    isHeldOut: send.kind !== "t" && stableShare("holdout", send) * PERCENT < message.holdoutPercent,
    mergeData: {},
    attachments: [],
  };
}

/** Creates the source of all sends from those of single kinds. */
export function joinSources({
  batch,
  template,
}: {
  readonly batch: MessageSource;
  readonly template: MessageSource;
}): MessageSource {
  return {
    async load(account, sends) {
      const ofBatches = sends.filter(({ kind }) => kind === "b");
      const others = sends.filter(({ kind }) => kind !== "b");
      const load = (source: MessageSource, own: readonly StoredSend[]) =>
        own.length === 0 ? new Map<StoredSend, WantedMessage>() : source.load(account, own);
      const [first, second] = await Promise.all([load(batch, ofBatches), load(template, others)]);
      return new Map([...first, ...second]);
    },
  };
}
