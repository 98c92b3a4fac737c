import { httpOptionsOf, listenAddressOf } from "@headwater/http";
import { createProcess, createWorkLoop, readSettingsKeys } from "@headwater/kernel";
import { createTrackingTokens } from "@headwater/messaging";
import { createContactactivities, frameSchema, subjectOf, upsertContact } from "@headwater/operations";
import { createCodec, createFrameProducer, kafkaAccessOf, registerInBackground } from "@headwater/topics";
import { readConfig } from "./config.ts";
import { createEventQueue } from "./events/eventQueue.ts";
import { HeldClicks } from "./events/heldClicks.ts";
import { createHealth } from "./health.ts";
import { createTrackerServer } from "./trackerServer.ts";

const DRAIN_MS = 12_000;
const RELEASE_EVERY_MS = 100;

const config = readConfig(process.env);
const { applicationName, logger, metrics, clock, tracing, lifecycle, start } = createProcess({
  name: "tracker",
  config,
});

const schemas = Object.fromEntries(
  [createContactactivities, upsertContact].map((operation) => [subjectOf(operation), frameSchema(operation)]),
);
const codec = createCodec({ registryUrl: config.SCHEMA_REGISTRY_URL, schemas, logger });
const producer = createFrameProducer({ ...kafkaAccessOf(config), clientId: applicationName, codec, logger });
const tokens = createTrackingTokens(readSettingsKeys(config.HEADWATER_SETTINGS_KEY_FILE) ?? []);
const queue = createEventQueue({ producer, logger, metrics });
const clicks = new HeldClicks((events) => queue.add(events));
const server = createTrackerServer({
  logger,
  metrics,
  ...httpOptionsOf(config),
  tokens,
  producer,
  queue,
  clicks,
  tracing: tracing.enabled,
});
const releasing = createWorkLoop({
  work: async () => {
    clicks.releaseDue(clock.monotonicMs());
    return false;
  },
  idleMs: RELEASE_EVERY_MS,
  minMs: RELEASE_EVERY_MS,
  maxMs: RELEASE_EVERY_MS,
  onRetry: (error) => logger.error({ err: error }, "held clicks could not be released"),
});

// Parts stop in reverse: the server, then the clicks that are held, then the queue, then the producer.
lifecycle.use("codec", registerInBackground(codec, lifecycle.fatal));
lifecycle.use("producer", { start: () => producer.start(), stop: () => producer.drain(DRAIN_MS) });
lifecycle.use("events", queue);
lifecycle.use("held clicks", {
  start: releasing.start,
  stop: async () => {
    await releasing.stop();
    clicks.releaseAll();
  },
});
let isServing = false;
lifecycle.use("http", {
  start: async () => {
    await server.start(listenAddressOf(config));
    isServing = true;
  },
  stop: () => {
    isServing = false;
    return server.stop();
  },
});
await start(createHealth({ producer, isServing: () => isServing }));
