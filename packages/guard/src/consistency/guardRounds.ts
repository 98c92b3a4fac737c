import { createWorkLoop, type Logger, type Part } from "@headwater/kernel";
import { createPostgres } from "@headwater/postgres/connection/postgres";
import type { StoreGuard } from "./storeGuard.ts";

export interface GuardRoundsOptions {
  readonly guard: StoreGuard;
  readonly postgresUrl: string;
  readonly applicationName: string;
  readonly logger: Logger;
}

const IDLE_MS = 2_000;
const RETRY_MAX_MS = 10_000;
const STATEMENT_TIMEOUT_MS = 30_000;

/**
 * Checks again, round after round, while there is something to learn: witnesses that were away when Postgres was admitted, and
 * whether a Postgres that was refused has been recovered. By a connection of its own, which nothing keeps from being refused.
 */
export function createGuardRounds({ guard, postgresUrl, applicationName, logger }: GuardRoundsOptions): Part {
  const postgres = createPostgres({
    url: postgresUrl,
    poolMax: 1,
    applicationName,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    logger,
  });
  const rounds = createWorkLoop({
    work: async () => {
      await guard.lookAgain(postgres).catch((error: unknown) => {
        // The guard itself reported a loss.
        if (error !== guard.refusal()) throw error;
      });
      return false;
    },
    idleMs: IDLE_MS,
    minMs: IDLE_MS,
    maxMs: RETRY_MAX_MS,
    onRetry: ({ error }) =>
      logger.warn({ err: error }, "checking Postgres against Kafka and ClickHouse failed, retrying"),
  });
  return {
    start: () => rounds.start(),
    async stop() {
      await rounds.stop();
      await postgres.close();
    },
  };
}
