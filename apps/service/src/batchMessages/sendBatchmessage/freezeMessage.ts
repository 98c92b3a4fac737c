import type { CriteriaNode } from "@headwater/audience";
import { type FrozenMessage, freezeExperiment, usualOnUnknown } from "@headwater/messaging";
import type { StoredBatchMessage } from "@headwater/stores/batchMessages";
import { readMessageSettings, type StoredMessageContent } from "../storedMessage.ts";

/** Parts of a message that `/send` checked. */
export interface CheckedSend {
  readonly content: StoredMessageContent;
  readonly transportId: string;
  /** Criteria of the contacts that reach the goal of its experiment; undefined without one. */
  readonly goal: CriteriaNode | undefined;
}

/** Returns a message as senders read it. Its includes are read when it starts. */
export function freezeMessage(
  message: StoredBatchMessage,
  { content: { base, variants }, transportId, goal }: CheckedSend,
): FrozenMessage {
  const settings = readMessageSettings(message);
  const { classification, name, bcc, bccEnabled, onUnknown, strict, trackOpens, priority } = settings;
  const experiment = freezeExperiment(settings.tests, variants, goal);
  return {
    ...{ channel: message.channel, classification, content: base, includes: {}, transportId, trackOpens, priority },
    ...{ trackLinks: settings.trackLinks === "enabled", bcc: bccEnabled ? bcc : null, tags: [...(message.tags ?? [])] },
    audienceKeys: message.audienceKey === null ? [] : [message.audienceKey],
    ...{ name: name ?? "", key: null, strict, onUnknown: onUnknown ?? usualOnUnknown(classification) },
    ...(settings.perMinute !== null && { perMinute: settings.perMinute }),
    ...(settings.vanityDomainKey !== null && { vanityDomainKey: settings.vanityDomainKey }),
    holdoutPercent: settings.entry.holdoutPercent ?? 0,
    ...(experiment !== undefined && { experiment }),
  };
}
