import { randomUUID } from "node:crypto";
import { createGuardRounds } from "@headwater/guard/consistency/guardRounds";
import { createStoreGuard } from "@headwater/guard/consistency/storeGuard";
import {
  createDependencyChecks,
  createHousekeeping,
  createOutbound,
  createProcess,
  loadConfig,
  readSealer,
  readSettingsKeys,
} from "@headwater/kernel";
import { createRenderer } from "@headwater/messaging/renderer/createRenderer";
import { deleteOldSends } from "@headwater/messaging/sending/housekeeping";
import { createIntentLog } from "@headwater/messaging/sending/intentLog";
import { createBatchSource, joinSources } from "@headwater/messaging/sending/messages/batchSource";
import { createTemplateSource } from "@headwater/messaging/sending/messages/templateSource";
import { createSender } from "@headwater/messaging/sending/sender";
import { createSenderMetrics } from "@headwater/messaging/sending/senderMetrics";
import { createHandovers } from "@headwater/messaging/sending/transports/handovers";
import { createTransportOpener } from "@headwater/messaging/sending/transports/openTransport";
import { createTrackingTokens } from "@headwater/messaging/tracking/trackingTokens";
import { createPostgres } from "@headwater/postgres/connection/postgres";
import { createHeartbeat } from "@headwater/postgres/processes/heartbeat";
import { ensureErasureSecret, readErasureSecretFile } from "@headwater/records/erasures/erasureSecret";
import { reportEnds } from "@headwater/sandbox";
import { createFrameProducer, createLogWitness, kafkaAccessOf } from "@headwater/topics";
import { senderConfig } from "./config.ts";

const STATEMENT_TIMEOUT_MS = 30_000;
const POOL_MAX = 10;
const DRAIN_MS = 5_000;

const config = loadConfig(senderConfig, process.env);
const { applicationName, logger, metrics, clock, lifecycle, start } = createProcess({ name: "sender", config });
const kafka = kafkaAccessOf(config);
const guard = createStoreGuard({
  log: createLogWitness({ ...kafka, clientId: applicationName, logger }),
  needed: ["kafka"],
  logger,
  onLost: (error) => lifecycle.fatal(error),
});
const postgres = createPostgres({
  url: config.POSTGRES_URL,
  poolMax: POOL_MAX,
  applicationName,
  statementTimeoutMs: STATEMENT_TIMEOUT_MS,
  erasureSecret: readErasureSecretFile(config.HEADWATER_ERASURE_SECRET_FILE),
  admission: guard,
  logger,
});
const producer = createFrameProducer({ ...kafka, clientId: applicationName, codec: noFrames(), logger });
const outbound = createOutbound({ allow: config.HEADWATER_PRIVATE_TRANSPORTS });
const onEnded = reportEnds({ metrics, logger })("content");
const renders = createRenderer({ processes: config.HEADWATER_RENDER_PROCESSES, onEnded });
const trials = createRenderer({ onEnded });
const keys = readSettingsKeys(config.HEADWATER_SETTINGS_KEY_FILE);
const sealer = readSealer(config.HEADWATER_SETTINGS_KEY_FILE);
const handovers = createHandovers(postgres, createTransportOpener({ outbound, sealer, renders, clock, logger }));
const sender = createSender({
  postgres,
  renders,
  trials,
  handovers,
  intents: createIntentLog(producer),
  messages: joinSources({ batch: createBatchSource(postgres), template: createTemplateSource(postgres) }),
  trackingUrl: config.HEADWATER_TRACKING_URL,
  tokens: keys === undefined ? undefined : createTrackingTokens(keys),
  metrics: createSenderMetrics(metrics),
  clock,
  logger,
  owner: randomUUID(),
  leaseMs: 1_000 * config.HEADWATER_SEND_LEASE_SECONDS,
});

lifecycle.use("postgres", { start: () => ensureErasureSecret(postgres, logger), stop: () => postgres.close() });
lifecycle.use("store guard", createGuardRounds({ guard, postgresUrl: config.POSTGRES_URL, applicationName, logger }));
lifecycle.use("producer", { start: () => producer.start(), stop: async () => void (await producer.drain(DRAIN_MS)) });
lifecycle.use("outbound", { stop: () => outbound.close() });
lifecycle.use("renders", { stop: () => renders.close() });
lifecycle.use("trials", { stop: () => trials.close() });
lifecycle.use("transports", { stop: () => handovers.close() });
const deleteOld = (nowMs: number) => deleteOldSends(postgres, nowMs);
lifecycle.use("housekeeping", createHousekeeping({ what: "old sends", deleteOld, clock, logger }));
lifecycle.use("sender", { ...sender, stopTimeoutMs: 20_000 });
const dependencies = createDependencyChecks({
  postgres: { ask: () => postgres.ping(), isRequired: true, whenAway: "unavailable: nothing is sent" },
});
const checks = async () => {
  const { link } = producer.state();
  const kafka =
    link === "ready" ? { ok: true } : { ok: true, isDegraded: true, detail: `${link}: nothing is handed over` };
  return { kafka, ...(await dependencies()) };
};
lifecycle.use("heartbeat", createHeartbeat({ session: postgres, name: "sender", checks, logger }));
await start(checks);

/** Intents are plain JSON: the producer encodes nothing, and no registry is asked. */
function noFrames() {
  return {
    isReady: () => true,
    frame: () => {
      throw new Error("a sender writes no frames");
    },
  };
}
