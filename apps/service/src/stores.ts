import { type ClickHouse, createClickHouse } from "@headwater/clickhouse/clickhouse";
import { type ClickHouseWitness, createClickHouseWitness } from "@headwater/guard/clickHouseWitness/clickHouseWitness";
import { withWitness } from "@headwater/guard/clickHouseWitness/withWitness";
import { createWitnessStores } from "@headwater/guard/clickHouseWitness/witnessStores";
import { createStoreGuard, type StoreGuard } from "@headwater/guard/consistency/storeGuard";
import type { FlowContext, Process } from "@headwater/kernel";
import { createPostgres, type Postgres } from "@headwater/postgres/connection/postgres";
import { readErasureSecretFile } from "@headwater/records/erasures/erasureSecret";
import { createLogWitness, type LogWitnessOptions } from "@headwater/topics";
import type { ServiceConfig } from "./config.ts";
import { type createShares, LOOKUP_CONNECTIONS, POOL_MAX } from "./shares.ts";

const QUERY_TIMEOUT_MS = 30_000;
const WITNESS_TIMEOUT_MS = 10_000;
const WITNESS_CONNECTIONS = 2;
/** Twice as many as are asked for keys that nobody knows yet: those in use are refreshed by the others. */
const KEY_CONNECTIONS_MAX = 4;

export interface StoreOptions extends Pick<Process, "applicationName" | "clock" | "logger"> {
  readonly config: ServiceConfig;
  readonly kafka: Omit<LogWitnessOptions, "clientId" | "logger">;
  readonly flows: FlowContext;
  readonly shares: ReturnType<typeof createShares>;
}

/** The stores of the service, each behind the guard. */
export interface Stores {
  readonly guard: StoreGuard;
  readonly witness: ClickHouseWitness;
  readonly postgres: Postgres;
  /** Looks up keys, and nothing else. */
  readonly keyPostgres: Postgres;
  readonly clickHouse: ClickHouse;
  /** Stores as health checks ask them, over connections that no call uses: used-up pools are no reason to be taken out of service. */
  readonly checked: { readonly postgres: Postgres; readonly clickHouse: ClickHouse };
  /** Closes what reaches ClickHouse, and the witness's Postgres. */
  closeClickHouse(): Promise<void>;
}

/** Creates the clients of Postgres and ClickHouse, with a pool for each purpose that must not wait for another. */
export function createStores(options: StoreOptions): Stores {
  const { config, applicationName, clock, logger, kafka, flows, shares } = options;
  const sharedClickHouse = createClickHouse({
    url: config.CLICKHOUSE_URL,
    requestTimeoutMs: QUERY_TIMEOUT_MS,
    shares: { flows, queries: shares.queries },
    logger,
  });
  // Of its own: whether an answer counts is checked for all accounts at once, and behind none of their queries.
  const witnessClickHouse = createClickHouse({
    url: config.CLICKHOUSE_URL,
    requestTimeoutMs: WITNESS_TIMEOUT_MS,
    connectionsMax: WITNESS_CONNECTIONS,
    logger,
  });
  const guard = createStoreGuard({
    log: createLogWitness({ ...kafka, clientId: applicationName, logger }),
    clickhouse: witnessClickHouse,
    // Reads go on without either of them.
    needed: [],
    logger,
    onLost: () => undefined,
  });
  const witnessPostgres = createPostgres({
    url: config.POSTGRES_URL,
    poolMax: 1,
    applicationName: `${applicationName}-witness`,
    statementTimeoutMs: WITNESS_TIMEOUT_MS,
    admission: guard,
    logger,
  });
  const witness = createClickHouseWitness({
    stores: createWitnessStores(witnessPostgres, witnessClickHouse),
    establishes: false,
    clock,
    logger,
  });
  return {
    guard,
    witness,
    postgres: createServicePostgres(options, guard),
    keyPostgres: createKeyPostgres(options, guard),
    clickHouse: withWitness(sharedClickHouse, witness),
    checked: { postgres: witnessPostgres, clickHouse: withWitness(witnessClickHouse, witness) },
    async closeClickHouse() {
      await sharedClickHouse.close();
      await witnessClickHouse.close();
      await witnessPostgres.close();
    },
  };
}

function createServicePostgres(options: StoreOptions, guard: StoreGuard): Postgres {
  const { config, applicationName, logger, flows, shares } = options;
  const { reads, writes, turns } = shares;
  return createPostgres({
    url: config.POSTGRES_URL,
    poolMax: POOL_MAX,
    applicationName,
    statementTimeoutMs: 10_000,
    erasureSecret: readErasureSecretFile(config.HEADWATER_ERASURE_SECRET_FILE),
    shares: { flows, reads, writes, turns, lookupConnections: LOOKUP_CONNECTIONS },
    admission: guard,
    logger,
  });
}

/** Creates a pool of its own: keys that anybody can invent wait for no connection that reads need, and the other way. */
function createKeyPostgres({ config, applicationName, logger }: StoreOptions, guard: StoreGuard): Postgres {
  return createPostgres({
    url: config.POSTGRES_URL,
    poolMax: KEY_CONNECTIONS_MAX,
    applicationName: `${applicationName}-keys`,
    statementTimeoutMs: 1_000,
    admission: guard,
    logger,
  });
}
