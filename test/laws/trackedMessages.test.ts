import { messageLimits } from "@headwater/messaging/limits";
import type { TrackedSend } from "@headwater/messaging/tracking/trackingToken";
import { createTrackingTokens } from "@headwater/messaging/tracking/trackingTokens";
import { type MessageToTrack, trackMessage } from "@headwater/messaging/tracking/trackMessage";
import { expect, test } from "vitest";
import { adversarialTexts } from "./adversarialTexts.ts";
import { CORE_MS_MAX } from "./coreTime.ts";
import { bestMs } from "./longestStep.ts";

const PIECES_CHARACTERS = 192 * 1024;
const PARAMETERS = 50;
const tokens = createTrackingTokens([Buffer.alloc(32, 1)]);
const send: TrackedSend = {
  account: { id: "a".repeat(24), number: 1 },
  ...{ message: "b".repeat(24), n: 1, channel: "email", contact: { cID: "c".repeat(24), number: 1 } },
  type: "b",
};

function longestMs(message: Partial<MessageToTrack>): number {
  const tracking = { send, tokens, trackingUrl: "https://t.example.com", nowMs: 0, trackLinks: true, trackOpens: true };
  return bestMs(() => trackMessage({ ...tracking, ...message })).ms;
}

const filled = (piece: string) => piece.repeat(Math.floor(messageLimits.renderedBytes / piece.length));
const LINK = "https://example.com/ ";
const linkParameters = Object.fromEntries(Array.from({ length: PARAMETERS }, (_, n) => [`p${n}`, "é".repeat(4_000)]));
const large: Readonly<Record<string, Partial<MessageToTrack>>> = {
  "links in HTML": { html: filled('<a href="https://example.com/">x</a>') },
  "the longest links": { html: filled(`<a href="https://example.com/${"a".repeat(4_000)}">x</a>`) },
  "links in a text": { text: filled(LINK) },
  "different links": {
    html: Array.from({ length: 20_000 }, (_, n) => `<a href="https://example.com/${n}">`).join(""),
    text: Array.from({ length: 40_000 }, (_, n) => `https://example.com/${n}`).join(" "),
  },
  "known links in a text": {
    text: filled(LINK),
    textLinks: Array.from({ length: Math.floor(messageLimits.renderedBytes / LINK.length) }, (_, n) => ({
      start: n * LINK.length,
      end: (n + 1) * LINK.length - 1,
    })),
  },
  "the longest parameters": { html: filled('<a href="https://example.com/?a=1">x</a>'), linkParameters },
};

test.each(Object.entries(large))(
  `a message full of %s lets go of the loop within ${CORE_MS_MAX} ms of a core`,
  (_what, message) => {
    expect(longestMs(message)).toBeLessThan(CORE_MS_MAX);
  },
);

test(`a message of any text lets go of the loop within ${CORE_MS_MAX} ms of a core`, () => {
  for (const { name, text } of adversarialTexts(PIECES_CHARACTERS)) {
    expect([name, longestMs({ html: text, text }) < CORE_MS_MAX]).toEqual([name, true]);
  }
}, 60_000);
