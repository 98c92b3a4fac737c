import { createGuardRounds } from "@headwater/guard/consistency/guardRounds";
import { createStoreGuard } from "@headwater/guard/consistency/storeGuard";
import { createDependencyChecks, createProcess, loadConfig } from "@headwater/kernel";
import { createPostgres } from "@headwater/postgres/connection/postgres";
import { createHeartbeat } from "@headwater/postgres/processes/heartbeat";
import { ensureErasureSecret, readErasureSecretFile } from "@headwater/records/erasures/erasureSecret";
import { createLogWitness, kafkaAccessOf } from "@headwater/topics";
import { automationConfig } from "./config.ts";

const STATEMENT_TIMEOUT_MS = 30_000;
const POOL_MAX = 12;

const config = loadConfig(automationConfig, process.env);
const { applicationName, logger, lifecycle, start } = createProcess({ name: "automation", config });
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

lifecycle.use("postgres", { start: () => ensureErasureSecret(postgres, logger), stop: () => postgres.close() });
lifecycle.use("store guard", createGuardRounds({ guard, postgresUrl: config.POSTGRES_URL, applicationName, logger }));
const checks = createDependencyChecks({
  postgres: { ask: () => postgres.ping(), isRequired: true, whenAway: "unavailable: nothing goes on" },
});
lifecycle.use("heartbeat", createHeartbeat({ session: postgres, name: "automation", checks, logger }));
await start(checks);
