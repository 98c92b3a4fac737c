import { type FrozenMessage, usualOnUnknown } from "@headwater/messaging";
import type { StoredBatchMessage } from "@headwater/stores/batchMessages";
import { readMessageSettings, type StoredMessageContent } from "../storedMessage.ts";

/** Returns a message as senders read it. Its includes are read when it starts. */
export function freezeMessage(
  message: StoredBatchMessage,
  { base, variants }: StoredMessageContent,
  transportId: string,
): FrozenMessage {
  const settings = readMessageSettings(message);
  const { classification, name, bcc, bccEnabled, onUnknown, strict, trackOpens, priority } = settings;
  const test = settings.tests.find(({ enabled }) => enabled);
  const named = test?.variants ?? [];
  return {
    ...{ channel: message.channel, classification, content: base, includes: {}, transportId, trackOpens, priority },
    ...{ trackLinks: settings.trackLinks === "enabled", bcc: bccEnabled ? bcc : null, tags: [...(message.tags ?? [])] },
    ...{ name: name ?? "", key: null, strict, onUnknown: onUnknown ?? usualOnUnknown(classification) },
    ...(settings.perMinute !== null && { perMinute: settings.perMinute }),
    holdoutPercent: settings.entry.holdoutPercent ?? 0,
    ...(test !== undefined && {
      experiment: {
        name: test.name ?? test.type,
        type: test.type,
        variants: variants.flatMap((content, place) => {
          const variant = named[place];
          return variant === undefined ? [] : [{ name: variant.name, weight: variant.weight ?? 1, content }];
        }),
      },
    }),
  };
}
