import type { Codec } from "../codec/codec.ts";
import type { PendingMessage } from "./pendingMessage.ts";
import type { SendTopic } from "./producerLink.ts";

/** Returns what a send holds, by topic, as kafkajs takes it. Frames are put together here, from texts that exist already. */
export function toSendTopics(messages: readonly PendingMessage[], codec: Pick<Codec, "frame">): readonly SendTopic[] {
  const byTopic = Map.groupBy(messages, ({ topic }) => topic);
  return [...byTopic].map(([topic, ofTopic]) => ({
    topic,
    messages: ofTopic.map((message) => toKafka(message, codec)),
  }));
}

function toKafka({ partition, content }: PendingMessage, codec: Pick<Codec, "frame">): SendTopic["messages"][number] {
  if (content.kind === "frame") {
    const { key, subject, account, texts, traceparent } = content;
    const value = codec.frame(subject, account, texts);
    return { partition, key, value, ...(traceparent === undefined ? {} : { headers: { traceparent } }) };
  }
  const { key, value, headers } = content.message;
  return { partition, key, value, ...(headers === undefined ? {} : { headers: { ...headers } }) };
}
