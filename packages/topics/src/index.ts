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
export { registerInBackground } from "./codec/registerInBackground.ts";
export { createSchemaRegistry } from "./codec/registryClient.ts";
export type { JsonSchemaDocument } from "./codec/schemaMembers.ts";
export {
  createLogWitness,
  type LogWitness,
  type LogWitnessOptions,
  OUTBOX_POSITION_HEADER,
  type PublishedMessageAt,
} from "./consistency/logWitness.ts";
export type { StreamConsumer, StreamConsumerOptions } from "./consumer/consumerApi.ts";
export { type LogMark, LogMismatch, markOf, printOf } from "./consumer/logMark.ts";
export type { LogFrame } from "./consumer/partitionFeed.ts";
export type { HeldPartition, RunnerObserver, RunnerStatus } from "./consumer/runnerApi.ts";
export { createStreamConsumer } from "./consumer/streamConsumer.ts";
export type {
  BatchContext,
  NextPosition,
  StartOf,
  StreamBatch,
  StreamHandler,
  StreamStart,
} from "./consumer/streamHandler.ts";
export type { TopicPartition } from "./consumer/streamSource.ts";
export { accessDeniedIn } from "./kafka/accessDenied.ts";
export type { SocketFactory } from "./kafka/kafkaClient.ts";
export { createLogReader, type LogReader, type LogReaderOptions } from "./kafka/logReader.ts";
export { createLogSamples, type FrameSample } from "./kafka/logSamples.ts";
export { reasonOf } from "./kafka/reasonOf.ts";
export { createFrameProducer, expectPublishable, MESSAGE_BYTES_MAX } from "./producer/frameProducer.ts";
export type { Placement } from "./producer/pendingAppend.ts";
export type { FrameAppend, FrameEntry, RawMessage } from "./producer/pendingMessage.ts";
export type {
  FrameProducer,
  FrameProducerOptions,
  ProducerObserver,
  PublishedMessage,
} from "./producer/producerApi.ts";
export type { KafkaAccess, KafkaSecurity } from "./security/kafkaAccess.ts";
export { kafkaAccessOf, kafkaEnvironment, kafkaSecurityOf } from "./security/kafkaEnvironment.ts";
