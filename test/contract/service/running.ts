import { randomUUID } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAccount } from "@headwater/accounts/accounts/accounts";
import { createApiKey } from "@headwater/accounts/accounts/apiKeys";
import { findUsableApiKey } from "@headwater/accounts/accounts/usableApiKey";
import { type ClickHouseBulk, createClickHouseBulk } from "@headwater/clickhouse/bulk";
import type { ClickHouse } from "@headwater/clickhouse/clickhouse";
import { type Account, accountSettings } from "@headwater/contracts";
import { createKeyCache } from "@headwater/http";
import { createFileStore } from "@headwater/jobs/files/fileStore";
import { createLogger, createMetrics, hashApiKey, newAccountId, newApiKey, systemClock } from "@headwater/kernel";
import type { Postgres } from "@headwater/postgres/connection/postgres";
import { createServiceServer, type ServiceOptions } from "@headwater/service/serviceServer";
import { type Fresh, freshClickHouse, freshPostgres } from "../stores/fresh.ts";
import { type Log, memoryLog } from "./activityLog.ts";

export const SECRET = "a secret that the ingress shares";
const logger = createLogger({ name: "service-test", level: "silent" });

/** The service over empty stores of its own; Kafka is what the test says of its topics. */
export interface Running {
  readonly postgres: Postgres;
  readonly postgresUrl: string;
  readonly clickHouse: ClickHouse;
  readonly clickHouseUrl: string;
  readonly bulk: ClickHouseBulk;
  /** Log that the service writes to; it can be away. */
  readonly log: Log;
  /** End of each topic's only partition. */
  readonly highs: Map<string, number>;
  call(key: string | undefined, url: string, options?: CallOptions): Promise<Called>;
  account(settings?: object): Promise<{ readonly account: Account; readonly key: string }>;
  key(account: Account, options?: { readonly scopes?: readonly string[]; readonly expiresAt?: Date }): Promise<string>;
  insert(table: string, account: Account, rows: readonly object[]): Promise<void>;
  /** Listens on a free port. @returns its address. */
  listen(): Promise<string>;
  /** Another process takes over, on the same stores. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

export interface CallOptions {
  readonly method?: "GET" | "POST" | "PUT" | "DELETE";
  readonly body?: unknown;
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Called {
  readonly status: number;
  /** Tests look into answers of many shapes. */
  readonly body: ReturnType<typeof JSON.parse>;
  readonly text: string;
  readonly headers: Readonly<Record<string, unknown>>;
}

/** @param lent a ClickHouse that outlives the service, for tests that store nothing there; default: one of its own. */
export async function startService(options: Partial<ServiceOptions> = {}, lent?: Fresh<ClickHouse>): Promise<Running> {
  const ofLender = lent && { ...lent, drop: async () => undefined };
  const stores = await Promise.all([freshPostgres(), ofLender ?? freshClickHouse()]);
  const [{ store: postgres }, { store: clickHouse }] = stores;
  const highs = new Map<string, number>();
  const bulk = createClickHouseBulk({ url: stores[1].url, logger });
  const log = memoryLog();
  const open = () =>
    createServiceServer({
      logger,
      metrics: createMetrics({ processMetrics: false }),
      plainHttp: "loopback",
      postgres,
      clickHouse,
      producer: log,
      secret: SECRET,
      highWatermarks: async (topic) => [{ partition: 0, high: highs.get(topic) ?? 0 }],
      keys: createKeyCache({ find: (hash) => findUsableApiKey(postgres, hash), logger }),
      afterTimeoutMs: 300,
      files: createFileStore({ folder: join(tmpdir(), "headwater-service-test") }),
      ...options,
    });
  let server = open();
  return {
    postgres,
    postgresUrl: stores[0].url,
    clickHouse,
    clickHouseUrl: stores[1].url,
    bulk,
    log,
    highs,
    call: (key, url, input) => callServer(server, key, url, input),
    account: (settings) => addAccount(postgres, settings),
    key: (account, provided) => createKey(postgres, account, provided),
    insert: (table, account, rows) => insertRows(clickHouse, table, account, rows),
    listen: async () => `http://127.0.0.1:${await server.start({ host: "127.0.0.1", port: 0 })}`,
    restart: async () => {
      await server.stop();
      server = open();
    },
    stop: async () => {
      await server.stop();
      await bulk.close();
      await Promise.all(stores.map((store) => store.drop()));
    },
  };
}

async function callServer(
  server: ReturnType<typeof createServiceServer>,
  key: string | undefined,
  url: string,
  { method = "GET", body, text, headers = {} }: CallOptions = {},
): Promise<Called> {
  const authorization = key === undefined ? {} : { authorization: basic(key) };
  const payload = text ?? (body === undefined ? undefined : JSON.stringify(body));
  const answer = await server.inject({
    method,
    url,
    headers: { ...authorization, ...(payload !== undefined && { "content-type": "application/json" }), ...headers },
    ...(payload !== undefined && { payload }),
  });
  const isJson = String(answer.headers["content-type"]).startsWith("application/json");
  return {
    status: answer.statusCode,
    body: isJson && answer.payload !== "" ? JSON.parse(answer.payload) : undefined,
    text: answer.payload,
    headers: answer.headers,
  };
}

export function basic(key: string, password = ""): string {
  return `Basic ${Buffer.from(`${key}:${password}`).toString("base64")}`;
}

async function addAccount(postgres: Postgres, settings: object = {}) {
  const limits = {
    readPerSecond: 100_000,
    writePerSecond: 100_000,
    jobStartPerSecond: 100_000,
    audienceCountPerSecond: 100_000,
  };
  const account = await createAccount(postgres, {
    id: newAccountId(),
    name: "test",
    settings: accountSettings.parse({ limits: { intakePerSecond: 1, ...limits }, ...settings }),
  });
  return { account, key: await createKey(postgres, account) };
}

async function createKey(
  postgres: Postgres,
  account: Account,
  { scopes = ["read"], expiresAt }: { readonly scopes?: readonly string[]; readonly expiresAt?: Date } = {},
): Promise<string> {
  const key = newApiKey();
  await createApiKey(postgres, {
    id: newAccountId(),
    account: account.number,
    hash: hashApiKey(key),
    prefix: key.slice(0, 6),
    name: "test",
    scopes: [...scopes],
    ...(expiresAt && { expiresAt }),
  });
  return key;
}

async function insertRows(clickHouse: ClickHouse, table: string, account: Account, rows: readonly object[]) {
  const [first] = rows;
  if (first === undefined) return;
  const columns = ["account", ...Object.keys(first)];
  const body = rows.map((row) => JSON.stringify([account.number, ...Object.values(row)])).join("\n");
  await clickHouse.insertBlock({ table, columns, body, token: randomUUID() });
}

/** DateTime64 as ClickHouse reads it. */
export function storedTime(ms: number): string {
  return new Date(ms).toISOString().replace("T", " ").slice(0, -1);
}

export function nowMs(): number {
  return systemClock.nowMs();
}
