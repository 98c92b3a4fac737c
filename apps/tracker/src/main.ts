import { createGuardRounds } from "@headwater/guard/consistency/guardRounds";
import { createStoreGuard } from "@headwater/guard/consistency/storeGuard";
import { httpOptionsOf, listenAddressOf } from "@headwater/http";
import { addContactsToList } from "@headwater/intake/operations/addContactsToList/addContactsToList";
import { createContactactivities } from "@headwater/intake/operations/createContactactivities/createContactactivities";
import { frameSchemas } from "@headwater/intake/operations/jsonSchema";
import { removeContactsFromList } from "@headwater/intake/operations/removeContactsFromList/removeContactsFromList";
import { upsertContact } from "@headwater/intake/operations/upsertContact/upsertContact";
import { createProcess, createWorkLoop, readSealer, readSettingsKeys } from "@headwater/kernel";
import { createRenderer } from "@headwater/messaging/renderer/createRenderer";
import { createEventQueue } from "@headwater/messaging/tracker/events/eventQueue";
import { HeldClicks } from "@headwater/messaging/tracker/events/heldClicks";
import { createIncomingReader } from "@headwater/messaging/tracker/incoming/createIncomingReader";
import { createOfferedLists } from "@headwater/messaging/tracker/preferences/offeredLists";
import { createPendingLookup } from "@headwater/messaging/tracker/preferences/pendingChannel";
import { createHelpAnswers } from "@headwater/messaging/tracker/provider/helpAnswers";
import { createTransportLookup } from "@headwater/messaging/tracker/provider/transportLookup";
import { createWritersNumbers } from "@headwater/messaging/tracker/provider/writersNumbers";
import { createTrackerServer } from "@headwater/messaging/tracker/trackerServer";
import { createRenderView } from "@headwater/messaging/tracker/view/renderView";
import { createTrackingTokens } from "@headwater/messaging/tracking/trackingTokens";
import { createPostgres } from "@headwater/postgres/connection/postgres";
import { createHeartbeat } from "@headwater/postgres/processes/heartbeat";
import { reportEnds } from "@headwater/sandbox";
import {
  createCodec,
  createFrameProducer,
  createLogWitness,
  kafkaAccessOf,
  registerInBackground,
} from "@headwater/topics";
import { readConfig } from "./config.ts";
import { createHealth } from "./health.ts";
import { createIncomingMail } from "./incomingMail.ts";

const DRAIN_MS = 12_000;
const RELEASE_EVERY_MS = 100;
const STATEMENT_TIMEOUT_MS = 5_000;
const POOL_MAX = 4;

const config = readConfig(process.env);
const { applicationName, logger, metrics, clock, tracing, lifecycle, start } = createProcess({
  name: "tracker",
  config,
});

const schemas = frameSchemas([addContactsToList, createContactactivities, removeContactsFromList, upsertContact]);
const codec = createCodec({ registryUrl: config.SCHEMA_REGISTRY_URL, schemas, logger });
const producer = createFrameProducer({ ...kafkaAccessOf(config), clientId: applicationName, codec, logger });
const tokens = createTrackingTokens(readSettingsKeys(config.HEADWATER_SETTINGS_KEY_FILE) ?? []);
const queue = createEventQueue({ producer, logger, metrics });
const clicks = new HeldClicks((events) => queue.add(events));
const guard = createStoreGuard({
  log: createLogWitness({ ...kafkaAccessOf(config), clientId: applicationName, logger }),
  // Redirects and events go on without either of them.
  needed: [],
  logger,
  onLost: () => undefined,
});
const postgres = createPostgres({
  url: config.POSTGRES_URL,
  poolMax: POOL_MAX,
  applicationName,
  statementTimeoutMs: STATEMENT_TIMEOUT_MS,
  admission: guard,
  logger,
});
const onEnded = reportEnds({ metrics, logger });
const renders = createRenderer({ onEnded: onEnded("content") });
const reader = createIncomingReader({ onEnded: onEnded("incoming") });
const renderView = createRenderView({
  session: postgres,
  renders,
  tokens,
  trackingUrl: config.HEADWATER_TRACKING_URL,
  nowMs: clock.nowMs,
});
const sealer = readSealer(config.HEADWATER_SETTINGS_KEY_FILE);
const server = createTrackerServer({
  logger,
  metrics,
  ...httpOptionsOf(config),
  tokens,
  producer,
  queue,
  clicks,
  tracing: tracing.enabled,
  renderView,
  lists: createOfferedLists(postgres, clock),
  isPending: createPendingLookup(postgres),
  ...(sealer && {
    provider: {
      reader,
      sealer,
      findTransport: createTransportLookup(postgres, clock),
      answerHelp: createHelpAnswers(postgres),
      nameWriters: createWritersNumbers(postgres),
    },
  }),
});
const incomingMail = createIncomingMail({
  config,
  ...{ logger, metrics, clock },
  postgres,
  reader,
  tokens,
  producer,
  onMailboxEnded: onEnded("mailbox"),
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
lifecycle.use("postgres", { stop: () => postgres.close() });
lifecycle.use("store guard", createGuardRounds({ guard, postgresUrl: config.POSTGRES_URL, applicationName, logger }));
lifecycle.use("renders", { stop: () => renders.close() });
lifecycle.use("incoming", { stop: () => reader.close() });
for (const [name, part] of Object.entries(incomingMail)) lifecycle.use(name, part);
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
const checks = createHealth({ producer, postgres, isServing: () => isServing });
lifecycle.use("heartbeat", createHeartbeat({ session: postgres, name: "tracker", checks, logger }));
await start(checks);
