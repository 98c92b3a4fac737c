import { randomBytes } from "node:crypto";
import { accountsIn, createAccount } from "@headwater/accounts/accounts/accounts";
import { createApiKey } from "@headwater/accounts/accounts/apiKeys";
import { listenForKeyChanges } from "@headwater/accounts/accounts/keyChanges";
import { findUsableApiKey, findUsableApiKeys } from "@headwater/accounts/accounts/usableApiKey";
import { type Account, type AccountSettings, accountSettings, openReceipt } from "@headwater/contracts";
import { createKeyCache } from "@headwater/http";
import { createIngressServer, type IngressOptions } from "@headwater/ingress/ingressServer";
import { frameSchemas } from "@headwater/intake/operations/jsonSchema";
import { loggedOperations } from "@headwater/intake/operations/registry";
import { createPartnerLists } from "@headwater/intake/pushes/partnerLists";
import { createMetrics, hashApiKey, newAccountId, newApiKey } from "@headwater/kernel";
import type { Postgres } from "@headwater/postgres/connection/postgres";
import { createLeaseStore } from "@headwater/postgres/idempotency/idempotency";
import { createTcpProxy, socketsThrough, useServices } from "@headwater/testing";
import {
  createCodec,
  createFrameProducer,
  createSchemaRegistry,
  createStreamConsumer,
  createTopicAdmin,
  type FrameProducerOptions,
  topicNamed,
} from "@headwater/topics";
import { expect } from "vitest";
import { z } from "zod";
import { freshPostgres, logger, postgresOn } from "../../stores/fresh.ts";

const SECRET = "a secret of the tests";
const WAIT_MS = 30_000;

const frame = z.object({
  account: z.string(),
  records: z.array(z.looseObject({ id: z.string(), receivedAt: z.number(), keyed: z.boolean().optional() })),
});
export type LoggedRecord = z.infer<typeof frame>["records"][number] & {
  readonly account: string;
  readonly partition: number;
};

export interface IngressOptionsInput extends Partial<IngressOptions> {
  /** False: as when every notification is lost. */
  readonly hearsKeyChanges?: boolean;
  /** Time a key is trusted without a lookup. */
  readonly keyTtlMs?: number;
}

/** A whole ingress on real services: a database and a topic of its own, and proxies in front of Kafka and Postgres. */
export async function startIngress(
  { hearsKeyChanges = true, keyTtlMs, ...options }: IngressOptionsInput = {},
  producerOptions: Partial<FrameProducerOptions> = {},
) {
  const services = useServices();
  const brokers = services.kafkaBrokers.split(",");
  const database = await freshPostgres();
  const postgresAddress = new URL(database.url);
  const postgresProxy = await createTcpProxy({ host: postgresAddress.hostname, port: Number(postgresAddress.port) });
  postgresAddress.port = String(postgresProxy.port);
  const postgres = postgresOn(postgresAddress.href);
  const topic = `test.ingress.${randomBytes(6).toString("hex")}`;
  const topics = createTopicAdmin({ brokers, clientId: "test", logger });
  await topics.apply([{ ...topicNamed("intake.records"), name: topic }]);
  const codec = createCodec({
    registryUrl: services.schemaRegistryUrl,
    schemas: frameSchemas(loggedOperations),
    logger,
  });
  await codec.ready();
  const [kafkaHost = "", kafkaPort = ""] = (brokers[0] ?? "").split(":");
  const kafkaProxy = await createTcpProxy({ host: kafkaHost, port: Number(kafkaPort) });
  const producer = createFrameProducer({
    brokers,
    clientId: "ingress-test",
    codec,
    logger,
    requestTimeoutMs: 2_000,
    socketFactory: socketsThrough(new Map([[Number(kafkaPort), kafkaProxy]])),
    ...producerOptions,
  });
  await producer.start();
  let keysFound = 0;
  const find = (hash: string) => {
    keysFound += 1;
    return findUsableApiKey(postgres, hash);
  };
  const findMany = (hashes: readonly string[]) => {
    keysFound += hashes.length;
    return findUsableApiKeys(postgres, hashes);
  };
  const keys = createKeyCache({ find, findMany, logger, ...(keyTtlMs !== undefined && { ttlMs: keyTtlMs }) });
  const keyChanges = listenForKeyChanges({
    url: postgresAddress.href,
    applicationName: "ingress-test",
    onChange: (hash) => keys.changed(hash),
    logger,
  });
  if (hearsKeyChanges) keyChanges.start?.();
  const server = createIngressServer({
    logger,
    metrics: createMetrics({ processMetrics: false }),
    plainHttp: "loopback",
    producer,
    topic,
    keys,
    accounts: accountsIn(postgres),
    partnerLists: createPartnerLists(postgres),
    idempotency: createLeaseStore(postgres, logger),
    secret: SECRET,
    ...options,
  });
  const port = await server.start({ host: "127.0.0.1", port: 0 });
  const log = await readLog(topic, brokers, services.schemaRegistryUrl);

  return {
    url: `http://127.0.0.1:${port}`,
    port,
    topic,
    database: database.store,
    databaseUrl: database.url,
    /** Counts lookups of keys. */
    keysFound: () => keysFound,
    postgres,
    postgresProxy,
    kafkaProxy,
    producer,
    server,
    records: log.records,
    /** Waits until the log holds so many records of the request, and answers them in order of their ids. */
    async recordsOf(requestId: string, count: number): Promise<LoggedRecord[]> {
      const own = () => log.records.filter(({ id }) => id.startsWith(`${requestId}:`));
      await expect.poll(() => own().length, { timeout: WAIT_MS }).toBe(count);
      return own().toSorted((left, right) => left.id.localeCompare(right.id, "en", { numeric: true }));
    },
    async stop(): Promise<void> {
      await server.stop({ timeoutMs: 1_000 });
      await producer.drain(1_000);
      await Promise.all([log.stop(), topics.close(), keyChanges.stop?.(), postgres.close()]);
      await Promise.all([postgresProxy.close(), kafkaProxy.close()]);
      await database.drop();
    },
  };
}

export type Ingress = Awaited<ReturnType<typeof startIngress>>;

/** Reads the topic from its start; every value is decoded by the registry's own library, with full validation. */
async function readLog(topic: string, brokers: readonly string[], registryUrl: string) {
  const library = createSchemaRegistry(registryUrl, 5_000);
  const records: LoggedRecord[] = [];
  const consumer = createStreamConsumer({
    brokers: [...brokers],
    clientId: "test",
    groupId: `test.${randomBytes(6).toString("hex")}`,
    topics: [topic],
    logger,
    onFatal: (error) => {
      throw error;
    },
    handler: {
      start: async ({ low }) => ({ fromOffset: low }),
      async batch({ partition, frames }) {
        for (const { value } of frames) {
          const { account, records: ofFrame } = frame.parse(await library.decode(value));
          records.push(...ofFrame.map((record) => ({ ...record, account, partition })));
        }
        return { kind: "next", offset: (frames.at(-1)?.offset ?? 0) + 1 };
      },
    },
  });
  await consumer.start();
  return { records, stop: () => consumer.stop() };
}

export interface TestAccount {
  readonly account: Account;
  readonly keyId: string;
  readonly key: string;
}

export interface AccountOptions {
  readonly scopes?: readonly string[];
  readonly allowIps?: readonly string[];
  readonly settings?: Partial<AccountSettings>;
}

export async function addAccount(postgres: Postgres, options: AccountOptions = {}): Promise<TestAccount> {
  const settings = accountSettings.parse(options.settings ?? {});
  const account = await createAccount(postgres, { id: newAccountId(), name: "test", settings });
  const key = newApiKey();
  const created = await createApiKey(postgres, {
    id: newAccountId(),
    account: account.number,
    hash: hashApiKey(key),
    prefix: key.slice(0, 6),
    name: "test",
    scopes: options.scopes ?? ["intake"],
    ...(options.allowIps && { allowIps: options.allowIps }),
  });
  return { account, keyId: created.id, key };
}

const answerBody = z.looseObject({
  /** Absent where a partner's protocol has an answer of its own. */
  requestId: z.string().default(""),
  receipt: z.string().optional(),
  code: z.string().optional(),
  message: z.string().optional(),
  accepted: z.number().optional(),
  rejected: z.number().optional(),
  items: z.array(z.looseObject({ index: z.number(), status: z.string() })).optional(),
  warnings: z.array(z.looseObject({ path: z.string() })).optional(),
  details: z.array(z.looseObject({ path: z.string(), code: z.string() })).optional(),
  limit: z.object({ what: z.string(), max: z.number() }).optional(),
});

export interface IntakeAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: z.infer<typeof answerBody>;
}

export interface Post {
  readonly path: string;
  readonly key?: string | undefined;
  /** Sent as JSON, unless it is text or bytes. */
  readonly body: unknown;
  readonly headers?: Record<string, string>;
}

/** Sends one call; every answer has to have the shape every answer has. */
export async function post(url: string, { path, key, body, headers = {} }: Post): Promise<IntakeAnswer> {
  const payload = typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body);
  const response = await fetch(`${url}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...(key === undefined ? {} : { "x-api-key": key }), ...headers },
    body: payload instanceof Uint8Array ? new Blob([Uint8Array.from(payload)]) : payload,
  });
  const answer = { status: response.status, headers: response.headers, body: answerBody.parse(await response.json()) };
  if (answer.body.requestId !== "") expect(answer.headers.get("x-request-id")).toBe(answer.body.requestId);
  else expect([answer.status, typeof answer.body.type]).toEqual([200, "string"]);
  expect(answer.headers.get("x-rate-limit-limit")).toMatch(/^\d+$/);
  expect(answer.headers.get("ratelimit")).toMatch(/^"intake";r=\d+;t=\d+$/);
  if (answer.status >= 400) expect([typeof answer.body.code, typeof answer.body.message]).toEqual(["string", "string"]);
  if (answer.status === 429 || answer.status === 503) expect(answer.headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
  return answer;
}

export function receiptOf(answer: IntakeAnswer) {
  return openedReceipt(answer.body.receipt ?? "");
}

export function openedReceipt(text: string) {
  const receipt = openReceipt(text, SECRET);
  if (receipt === undefined) throw new Error("the receipt cannot be opened");
  return receipt;
}
