import { generateKeyPairSync } from "node:crypto";
import { accountSettings } from "@headwater/contracts";
import type { OutgoingMail } from "@headwater/messaging/frozen/handover";
import { createRenderer } from "@headwater/messaging/renderer/createRenderer";
import type { OpenTransport } from "@headwater/messaging/sending/transports/handovers";
import { composeSend } from "@headwater/messaging/sending/window/composeSend";
import type { StoredSend } from "@headwater/messaging/sends/sendRow";
import { createTrackingTokens } from "@headwater/messaging/tracking/trackingTokens";
import { frozenMail } from "./mail.ts";

const ACCOUNT = "a".repeat(24);
const MESSAGE = "65f0c0ffee65f0c0ffee0001";

/** Key of 2,048 bits that all mails are signed with. */
export const dkimKey = (() => {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2_048 });
  return { domain: "example.com", selector: "s1", privateKey };
})();

interface Composer {
  compose(contact: number): Promise<OutgoingMail>;
}

let stored: Composer | undefined;

/** Composes the letter as a sender does: rendered in processes, tracked, put together and signed. */
export function composer(): Composer {
  stored ??= createComposer();
  return stored;
}

function createComposer(): Composer {
  const renders = createRenderer();
  const tokens = createTrackingTokens([Buffer.alloc(32, 1)]);
  const message = frozenMail();
  const account = { number: 1, id: ACCOUNT, name: "Shop", settings: accountSettings.parse({}) };
  const handover = { deliver: () => Promise.reject(new Error("nothing is handed over")), close: async () => undefined };
  const transport: OpenTransport = { id: "t", type: "smtp", updatedAt: 0, dkim: [dkimKey], rates: {}, handover };
  const wanted = { message, mergeData: {}, attachments: [], variant: null, isHeldOut: false };
  const shared = { account, wanted, data: {}, transport, tokens, trackingUrl: "https://t.example.com" };
  return {
    async compose(contact) {
      const cid = String(contact).padStart(24, "0");
      const composed = await composeSend(
        {
          ...shared,
          send: { ...SEND, contact, cid },
          contact: { cID: cid, attributes: { name: `Ann ${contact}`, tier: "gold" } },
          address: `ann${contact}@example.com`,
          nowMs: Date.now(),
        },
        renders,
      );
      if (composed.kind !== "composed") throw new Error(`a letter was not made: ${composed.reason}`);
      return composed.mail;
    },
  };
}

const SEND: Omit<StoredSend, "contact" | "cid"> = {
  ...{ account: 1, message: MESSAGE, n: 1, kind: "b", channel: "email", classification: "promotional", priority: 2 },
  ...{
    variant: null,
    want: null,
    resendsLeft: 0,
    address: null,
    dueAt: 0,
    state: "pending",
    reason: null,
    attempts: 0,
  },
  ...{ attemptsBefore: 0, createdAt: 0, firstAt: null, at: 0, transport: null, code: null, text: null },
};
