import { type ExperimentState, readExperimentState } from "@headwater/contracts";
import type { Session } from "@headwater/postgres/connection/session";
import { readFrozenMessages, type StoredFrozenMessage } from "../../batchMessages/frozenMessages.ts";
import { chooseVariant } from "../../experiments/chooseVariant.ts";
import { isInHoldout } from "../../experiments/stableShare.ts";
import { type FrozenMessage, readFrozenMessage } from "../../frozen/frozenMessage.ts";
import type { StoredSend } from "../../sends/sendRow.ts";
import type { MessageSource, WantedMessage } from "./wantedMessage.ts";

/** Creates the source of sends of batch messages, which are as they were when the message began. */
export function createBatchSource(session: Session): MessageSource {
  return {
    async load(account, sends) {
      const ids = [...new Set(sends.map(({ message }) => message))];
      const rows = await readFrozenMessages(session, account, ids);
      const read = ({ frozen, experiment }: StoredFrozenMessage) => ({
        frozen: readFrozenMessage(frozen),
        learnt: readExperimentState(experiment),
      });
      const messages = new Map(rows.map((row) => [row.id, read(row)]));
      return new Map(
        sends.flatMap((send) => {
          const message = messages.get(send.message);
          return message === undefined ? [] : [[send, wantedOf(send, message.frozen, message.learnt)] as const];
        }),
      );
    },
  };
}

/** Returns what a frozen message says to a contact. Tests go to everybody. @param learnt what its experiment has learnt by now. */
export function wantedOf(send: StoredSend, frozen: FrozenMessage, learnt: ExperimentState = {}): WantedMessage {
  const { experiment, ...message } = frozen;
  // A variant that was chosen once stays, also when another number answers for the contact.
  const chosen = experiment?.variants.find(({ name }) => name === send.variant);
  const variant = chosen ?? (experiment && chooseVariant(experiment, learnt, send));
  return {
    message: variant === undefined ? message : { ...message, content: variant.content },
    variant: variant?.name ?? null,
    isHeldOut: send.kind !== "t" && isInHoldout(message.holdoutPercent, send),
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
