import { INTENTS_TOPIC } from "@headwater/contracts";
import { type FrameProducer, topicNamed } from "@headwater/topics";
import type { IntentLog } from "./ports.ts";

/** Publishes intents to Kafka. */
export function createIntentLog(producer: Pick<FrameProducer, "publish" | "state">): IntentLog {
  const { name: topic, partitions } = topicNamed(INTENTS_TOPIC);
  return {
    isReady: () => producer.state().link === "ready",
    async publish(intents) {
      const { account } = intents;
      const value = Buffer.from(JSON.stringify(intents));
      await producer.publish([{ topic, partition: account % partitions, key: String(account), value }]);
    },
  };
}
