import { createMetrics, systemClock } from "@headwater/kernel";
import type { Delivered, OutgoingMail } from "@headwater/messaging/frozen/handover";
import { createRenderer, type Renderer } from "@headwater/messaging/renderer/createRenderer";
import { createBatchSource, joinSources } from "@headwater/messaging/sending/messages/batchSource";
import { createTemplateSource } from "@headwater/messaging/sending/messages/templateSource";
import type { SenderPorts } from "@headwater/messaging/sending/ports";
import { createSender, type Sender } from "@headwater/messaging/sending/sender";
import { createSenderMetrics } from "@headwater/messaging/sending/senderMetrics";
import { createHandovers, type OpenTransport } from "@headwater/messaging/sending/transports/handovers";
import { createTrackingTokens } from "@headwater/messaging/tracking/trackingTokens";
import { logger } from "../../stores/fresh.ts";
import { MEMBERS, type SendWorld, sendWorld } from "../batchMessages/sendWorld.ts";
import { email } from "../templates/templateWorld.ts";
import { publishedNowhere } from "./senderWorld.ts";

export interface BatchWorld extends Omit<SendWorld, "sendAll"> {
  /** Everything that was handed over. */
  readonly mails: OutgoingMail[];
  /** Ports of its senders. */
  readonly renders: Renderer;
  readonly messages: SenderPorts["messages"];
  /** Answers of the server: 250 unless a test says otherwise. */
  answer: (mail: OutgoingMail) => Delivered | Promise<Delivered>;
  /**
   * @param rates in place of the transport's own.
   * @param answer how the server answers this sender, in place of `answer` above.
   */
  sender(
    owner: string,
    rates?: OpenTransport["rates"],
    answer?: () => Promise<Delivered>,
    ports?: Partial<SenderPorts>,
  ): Sender;
  /** Lets two senders work until there is nothing left that they may do. */
  sendAll(rates?: OpenTransport["rates"]): Promise<void>;
  /** Ends what is being rendered. */
  endThreads(): Promise<void>;
  stop(): Promise<void>;
}

export const ACCEPTED: Delivered = { outcome: { kind: "sent" }, code: 250, text: "queued" };
/** Members of a transactional message to all that joined. */
export const receipt = { classification: "transactional", audience: MEMBERS } as const;
export const content = (text: string) => email(`<p>${text} {{ contact.cID }}</p>`, { replyEmail: "a@example.com" });

/**
 * An account that sends by senders whose server is the test's own.
 * @param tries messages that have not rendered well before are tried in a thread of their own.
 */
export async function batchWorld({ tries = false } = {}): Promise<BatchWorld> {
  const world = await sendWorld();
  const renders = createRenderer();
  const trials = createRenderer();
  const { postgres } = world.service;
  const mails: OutgoingMail[] = [];
  const messages = joinSources({ batch: createBatchSource(postgres), template: createTemplateSource(postgres) });
  const sender: BatchWorld["sender"] = (owner, rates, answer, more) =>
    createSender({
      ...(tries && { trials }),
      ...{ postgres, renders, owner, logger, clock: systemClock, trackingUrl: "https://t.example.com" },
      messages,
      intents: publishedNowhere,
      handovers: createHandovers(postgres, ({ settings }) => ({
        handover: {
          deliver: async (mail) => {
            mails.push(mail);
            return answer === undefined ? batch.answer(mail) : answer();
          },
          close: async () => undefined,
        },
        dkim: [],
        rates: rates ?? JSON.parse(settings),
      })),
      tokens: createTrackingTokens([Buffer.alloc(32, 1)]),
      metrics: createSenderMetrics(createMetrics({ processMetrics: false })),
      ...more,
    });
  const batch: BatchWorld = {
    ...world,
    ...{ mails, sender, renders, messages, answer: () => ACCEPTED },
    async sendAll(rates) {
      const senders = [sender("one", rates), sender("two", rates)];
      for (let busy = true; busy; ) busy = (await Promise.all(senders.map((one) => one.sendOnce()))).includes(true);
    },
    async endThreads() {
      await Promise.all([renders.close(), trials.close()]);
    },
    async stop() {
      await batch.endThreads();
      await world.service.stop();
    },
  };
  return batch;
}

/** Contacts that mails went to, by the ends of their cIDs. */
export function reachedBy(mails: readonly OutgoingMail[]): number[] {
  return mails.map(({ mcId }) => Number((mcId.split(":").at(-2) ?? "").slice(-4))).toSorted((a, b) => a - b);
}
