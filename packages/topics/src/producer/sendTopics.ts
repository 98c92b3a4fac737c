import type { Codec } from "../codec/codec.ts";
import type { FrameContent, PendingMessage } from "./pendingMessage.ts";
import type { SendTopic } from "./producerLink.ts";

/** Codec that puts frames together, from texts that exist already. */
type FrameCodec = Pick<Codec, "frame">;

/** Returns what a send holds, by topic, as kafkajs takes it. */
export function toSendTopics(messages: readonly PendingMessage[], codec: FrameCodec): readonly SendTopic[] {
  const byTopic = Map.groupBy(messages, ({ topic }) => topic);
  return [...byTopic].map(([topic, ofTopic]) => ({
    topic,
    messages: ofTopic.map((message) => toKafka(message, codec)),
  }));
}

/** Returns the frame as the log holds it. */
export function toFrame({ value, subject, account, texts }: FrameContent, codec: FrameCodec): Buffer {
  return value ?? codec.frame(subject, account, texts);
}

function toKafka({ partition, content }: PendingMessage, codec: FrameCodec): SendTopic["messages"][number] {
  if (content.kind === "frame") {
    const { key, traceparent } = content;
    const value = toFrame(content, codec);
    return { partition, key, value, ...(traceparent === undefined ? {} : { headers: { traceparent } }) };
  }
  const { key, value, headers } = content.message;
  return { partition, key, value, ...(headers === undefined ? {} : { headers: { ...headers } }) };
}
