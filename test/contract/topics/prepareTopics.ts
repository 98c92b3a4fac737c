import { kafkaGroupOf, topology } from "@headwater/contracts";
import { createLogger } from "@headwater/kernel";
import { useServices } from "@headwater/testing";
import { createTopicAdmin } from "@headwater/topics";

const logger = createLogger({ name: "topics", level: "silent" });

/**
 * Applies all topics, and forgets what groups committed: processes of an earlier test named their own database there, and others refuse to
 * start over a database that Kafka does not know.
 */
export async function prepareTopics(): Promise<void> {
  const { kafkaBrokers } = useServices();
  const topics = createTopicAdmin({ brokers: kafkaBrokers.split(","), clientId: "test", logger });
  await topics.apply();
  await topics.forgetGroups(topology.map(({ group }) => kafkaGroupOf(group)));
  await topics.close();
}
