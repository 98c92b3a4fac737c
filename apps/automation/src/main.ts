import { createAliasRevisions } from "@headwater/audiences/audiences/aliasRevisions";
import { createMapper } from "@headwater/automation/dataJobs/createMapper";
import { createEngine } from "@headwater/automation/runs/engine";
import { createFactsHandler } from "@headwater/automation/runs/factsHandler";
import { createJourneys } from "@headwater/automation/runs/journeys";
import { deleteOldRuns } from "@headwater/automation/runs/oldRuns";
import { createProgress } from "@headwater/automation/runs/progress";
import { createRunMetrics } from "@headwater/automation/runs/runMetrics";
import { CALLS_MAX, callEnds, createEventDeliveries } from "@headwater/automation/webhooks/deliverEvents";
import { createClickHouse } from "@headwater/clickhouse/clickhouse";
import { AUTOMATION_GROUP, changeFrames, kafkaGroupOf, topicsReadBy } from "@headwater/contracts";
import { createGuardRounds } from "@headwater/guard/consistency/guardRounds";
import { createStoreGuard } from "@headwater/guard/consistency/storeGuard";
import { toJsonSchema } from "@headwater/intake/operations/jsonSchema";
import {
  createDependencyChecks,
  createHousekeeping,
  createOutbound,
  createProcess,
  loadConfig,
  readSealer,
} from "@headwater/kernel";
import { createRenderer } from "@headwater/messaging/renderer/createRenderer";
import { createPostgres } from "@headwater/postgres/connection/postgres";
import { createHeartbeat } from "@headwater/postgres/processes/heartbeat";
import { ensureErasureSecret, readErasureSecretFile } from "@headwater/records/erasures/erasureSecret";
import { reportEnds } from "@headwater/sandbox";
import {
  createCodec,
  createLogWitness,
  createStreamConsumer,
  createTopicAdmin,
  kafkaAccessOf,
} from "@headwater/topics";
import { useAlerts } from "./alerts.ts";
import { automationConfig } from "./config.ts";

const STATEMENT_TIMEOUT_MS = 30_000;
const POOL_MAX = 12;
const KAFKA_TIMEOUT_MS = 10_000;
/** Facts of some milliseconds are one transaction: a batch costs some twenty statements, whatever it holds. */
const FACTS_TUNING = {
  batchBytesMax: 1024 * 1024,
  fetchIntervalMs: 50,
  lingerMs: 50,
  lingerBytes: 256 * 1024,
} as const;

const config = loadConfig(automationConfig, process.env);
const { applicationName, logger, metrics, clock, lifecycle, start } = createProcess({ name: "automation", config });
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
  keyLookupsOnly: true,
  erasureSecret: readErasureSecretFile(config.HEADWATER_ERASURE_SECRET_FILE),
  admission: guard,
  logger,
});
const clickHouse = createClickHouse({ url: config.CLICKHOUSE_URL, requestTimeoutMs: STATEMENT_TIMEOUT_MS, logger });
const changeSchemas = Object.entries(changeFrames).map(([topic, frame]) => [topic, toJsonSchema(frame)] as const);
const codec = createCodec({
  registryUrl: config.SCHEMA_REGISTRY_URL,
  schemas: Object.fromEntries(changeSchemas),
  logger,
});
const topics = createTopicAdmin({ ...kafka, clientId: applicationName, timeoutMs: KAFKA_TIMEOUT_MS, logger });
const counts = createRunMetrics(metrics);
const runs = {
  postgres,
  clock,
  logger,
  journeys: createJourneys(clock),
  onApplied: (inputs: number) => counts.inputs.inc(inputs),
};
const progress = createProgress({ postgres, clock, highWatermarks: (topic) => topics.watermarks(topic) });
// An endpoint has few calls open; a host that many of them share is no reason to wait.
const outbound = createOutbound({ allow: config.HEADWATER_OUTBOUND_ALLOW, connectionsPerHostMax: CALLS_MAX });
const onEnded = reportEnds({ metrics, logger });
const renders = createRenderer({ onEnded: onEnded("content") });
const mapper = createMapper({ onEnded: onEnded("mappings") });
const sealer = readSealer(config.HEADWATER_SETTINGS_KEY_FILE);
const criteria = { clickHouse, aliasRevisions: createAliasRevisions({ clickHouse }) };
const engine = createEngine({ ...runs, ...criteria, progress, renders, mapper, outbound, sealer, metrics: counts });
const facts = createStreamConsumer({
  ...kafka,
  clientId: `${applicationName}-facts`,
  groupId: kafkaGroupOf(AUTOMATION_GROUP),
  topics: topicsReadBy(AUTOMATION_GROUP),
  handler: createFactsHandler({ ...runs, codec, onQuarantined: (changes) => counts.quarantined.inc(changes) }),
  store: () => guard.storeId(),
  logger,
  onFatal: (error) => lifecycle.fatal(error),
  sessionTimeoutMs: config.HEADWATER_SESSION_TIMEOUT_MS,
  ...FACTS_TUNING,
});
const webhookCalls = metrics.counter({
  name: "headwater_webhook_calls_total",
  help: "Calls to webhooks by outcome; a retried one is called again.",
  labels: ["outcome"],
  values: { outcome: callEnds },
});

lifecycle.use("postgres", { start: () => ensureErasureSecret(postgres, logger), stop: () => postgres.close() });
lifecycle.use("clickhouse", { stop: () => clickHouse.close() });
lifecycle.use("outbound", { stop: () => outbound.close() });
lifecycle.use("renders", { stop: () => renders.close() });
lifecycle.use("mapper", { stop: () => mapper.close() });
lifecycle.use("store guard", createGuardRounds({ guard, postgresUrl: config.POSTGRES_URL, applicationName, logger }));
lifecycle.use("topics", { stop: () => topics.close() });
lifecycle.use("facts", { start: () => facts.start(), stop: () => facts.stop(10_000) });
lifecycle.use("runs", engine);
const deleteOld = async (nowMs: number) => void (await deleteOldRuns(postgres, nowMs));
lifecycle.use("housekeeping", createHousekeeping({ what: "old runs", deleteOld, clock, logger }));
lifecycle.use(
  "webhooks",
  createEventDeliveries({
    postgres,
    outbound,
    sealer,
    clock,
    logger,
    onOutcome: (outcome) => webhookCalls.inc({ outcome }),
  }),
);
useAlerts({
  ...{ config, lifecycle, postgres, clickHouse, renders, sealer, clock, logger, metrics },
  storesAsOf: () => progress.current().stores,
});
const dependencies = createDependencyChecks({
  postgres: { ask: () => postgres.ping(), isRequired: true, whenAway: "unavailable: nothing goes on" },
  clickhouse: { ask: () => clickHouse.ping(), whenAway: "unavailable: criteria wait" },
});
const checks = async () => ({ facts: factsCheck(), ...(await dependencies()) });
lifecycle.use("heartbeat", createHeartbeat({ session: postgres, name: "automation", checks, logger }));
await start(checks);

/** Facts that cannot be read keep timers waiting as well: the process itself is well. */
function factsCheck() {
  const held = facts.held().map(({ topic, partition, reason }) => `${topic}/${partition}: ${reason}`);
  const state = facts.state();
  if (state === "running" && held.length === 0) return { ok: true };
  const detail = held.length === 0 ? `${state}: nobody enters or moves` : `held: ${held.join("; ")}`;
  return { ok: true, isDegraded: true, detail };
}
