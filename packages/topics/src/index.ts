export { catalogue, type TopicDefinition, topicNamed } from "./catalogue/catalogue.ts";
export {
  type CommittedOffset,
  createTopicAdmin,
  type TopicAdmin,
  type TopicAdminOptions,
  type Watermarks,
} from "./catalogue/topicAdmin.ts";
export { diffTopics, type SettingChange, type TopicStep } from "./catalogue/topicPlan.ts";
export { type Codec, type CodecOptions, createCodec, type Decoded } from "./codec/codec.ts";
export { createSchemaRegistry, type JsonSchemaDocument } from "./codec/registryClient.ts";
export type { StreamConsumer, StreamConsumerOptions } from "./consumer/consumerApi.ts";
export type { LogFrame } from "./consumer/partitionFeed.ts";
export type { RunnerObserver, RunnerStatus } from "./consumer/partitionRunner.ts";
export { createStreamConsumer } from "./consumer/streamConsumer.ts";
export type { BatchContext, BatchVerdict, StartOf, StreamBatch, StreamHandler } from "./consumer/streamHandler.ts";
export type { TopicPartition } from "./consumer/streamSource.ts";
export type { SocketFactory } from "./kafka/kafkaClient.ts";
export { createFrameProducer, MESSAGE_BYTES_MAX } from "./producer/frameProducer.ts";
export type { FrameAppend, FrameEntry, RawMessage } from "./producer/gathering.ts";
export type {
  FrameProducer,
  FrameProducerOptions,
  ProducerObserver,
  PublishedMessage,
} from "./producer/producerApi.ts";
export type { Placement } from "./producer/ticket.ts";
