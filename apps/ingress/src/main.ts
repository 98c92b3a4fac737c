import { readFileSync } from "node:fs";
import { accountsIn } from "@headwater/accounts/accounts/accounts";
import { listenForKeyChanges } from "@headwater/accounts/accounts/keyChanges";
import { recordLastUse } from "@headwater/accounts/accounts/lastUse";
import { findUsableApiKey, findUsableApiKeys } from "@headwater/accounts/accounts/usableApiKey";
import { recordCalls } from "@headwater/api/accountLog/recordCalls";
import { createGuardRounds } from "@headwater/guard/consistency/guardRounds";
import { createStoreGuard } from "@headwater/guard/consistency/storeGuard";
import { createKeyCache, httpOptionsOf, listenAddressOf } from "@headwater/http";
import { frameSchemas } from "@headwater/intake/operations/jsonSchema";
import { loggedOperations } from "@headwater/intake/operations/registry";
import { createPartnerLists } from "@headwater/intake/pushes/partnerLists";
import { createHousekeeping, createProcess } from "@headwater/kernel";
import { createPostgres } from "@headwater/postgres/connection/postgres";
import { createLeaseStore, deleteIdempotency } from "@headwater/postgres/idempotency/idempotency";
import { createHeartbeat } from "@headwater/postgres/processes/heartbeat";
import { deletePartnerListChanges } from "@headwater/records/lists/partnerListChanges";
import {
  createCodec,
  createFrameProducer,
  createLogWitness,
  kafkaAccessOf,
  registerInBackground,
} from "@headwater/topics";
import { readConfig } from "./config.ts";
import { createHealth } from "./health.ts";
import { createIngressServer } from "./ingressServer.ts";
import { observeProducer } from "./producerMetrics.ts";

const DRAIN_MS = 12_000;
/** Twice as many as are asked for keys that nobody knows yet: those in use are refreshed by the others. */
const KEY_CONNECTIONS_MAX = 4;
/** Time for which a repeat of a call, or of a partner's change of a list, is known. */
const KEYS_RETENTION_MS = 72 * 3_600_000;

const config = readConfig(process.env);
const { applicationName, logger, metrics, clock, tracing, lifecycle, start } = createProcess({
  name: "ingress",
  config,
});

const guard = createStoreGuard({
  log: createLogWitness({ ...kafkaAccessOf(config), clientId: applicationName, logger }),
  // Calls without an Idempotency-Key go on without Postgres.
  needed: [],
  logger,
  onLost: () => undefined,
});
const postgres = createPostgres({
  url: config.POSTGRES_URL,
  poolMax: 8,
  applicationName,
  statementTimeoutMs: 5_000,
  admission: guard,
  logger,
});
// Of its own: what anybody can make up waits for no connection that accepted work needs, and the other way.
const keyPostgres = createPostgres({
  url: config.POSTGRES_URL,
  poolMax: KEY_CONNECTIONS_MAX,
  applicationName: `${applicationName}-keys`,
  statementTimeoutMs: 1_000,
  admission: guard,
  logger,
});
const codec = createCodec({ registryUrl: config.SCHEMA_REGISTRY_URL, schemas: frameSchemas(loggedOperations), logger });
const producer = createFrameProducer({
  ...kafkaAccessOf(config),
  clientId: applicationName,
  codec,
  logger,
  observer: observeProducer(metrics),
});
const keys = createKeyCache({
  find: (hash) => findUsableApiKey(keyPostgres, hash),
  findMany: (hashes) => findUsableApiKeys(keyPostgres, hashes),
  logger,
});
const calls = recordCalls({ session: postgres, api: "api", clock, logger, metrics });
const server = createIngressServer({
  logger,
  metrics,
  ...httpOptionsOf(config),
  producer,
  keys,
  accounts: accountsIn(keyPostgres),
  partnerLists: createPartnerLists(postgres),
  idempotency: createLeaseStore(postgres, logger),
  onAnswer: ({ route, ...answered }) => calls.count({ ...answered, operation: route.operationId }),
  secret: readFileSync(config.HEADWATER_SECRET_FILE, "utf8").trim(),
  tracing: tracing.enabled,
});

// Parts stop in reverse: the server first, so that what it still answers can be written; then the producer; then the stores.
lifecycle.use("postgres", {
  // Keys that come first need not wait until the server was checked. Without Postgres the intake starts as well.
  start: () => postgres.ping().catch((error: unknown) => logger.warn({ err: error }, "Postgres is unavailable")),
  stop: () => Promise.all([postgres.close(), keyPostgres.close()]),
});
lifecycle.use(
  "key changes",
  listenForKeyChanges({
    url: config.POSTGRES_URL,
    applicationName,
    onChange: (hash) => keys.changed(hash),
    admission: guard,
    logger,
  }),
);
lifecycle.use("store guard", createGuardRounds({ guard, postgresUrl: config.POSTGRES_URL, applicationName, logger }));
lifecycle.use("counts of calls", calls);
lifecycle.use("last use", recordLastUse({ session: postgres, usedSince: (ms) => keys.usedSince(ms), logger }));
const deleteOld = async (nowMs: number) => {
  await deleteIdempotency(postgres, nowMs - KEYS_RETENTION_MS);
  await deletePartnerListChanges(postgres, nowMs - KEYS_RETENTION_MS);
};
const housekeeping = { what: "old Idempotency-Keys and names of list changes", deleteOld, clock, logger };
lifecycle.use("housekeeping", createHousekeeping(housekeeping));
// Without the registry every call gets 503, and /ready says why.
lifecycle.use("codec", registerInBackground(codec, lifecycle.fatal));
let isServing = false;
lifecycle.use("producer", { start: () => producer.start(), stop: () => producer.drain(DRAIN_MS) });
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
const checks = createHealth({ codec, producer, postgres, isServing: () => isServing });
lifecycle.use("heartbeat", createHeartbeat({ session: postgres, name: "ingress", checks, logger }));
await start(checks);
