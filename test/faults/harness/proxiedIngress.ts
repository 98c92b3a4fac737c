import { accountsIn } from "@headwater/accounts/accounts/accounts";
import { findUsableApiKey } from "@headwater/accounts/accounts/usableApiKey";
import { createKeyCache } from "@headwater/http";
import { createIngressServer } from "@headwater/ingress/ingressServer";
import { frameSchemas } from "@headwater/intake/operations/jsonSchema";
import { loggedOperations } from "@headwater/intake/operations/registry";
import { createPartnerLists } from "@headwater/intake/pushes/partnerLists";
import { createMetrics } from "@headwater/kernel";
import { createPostgres } from "@headwater/postgres/connection/postgres";
import { createLeaseStore } from "@headwater/postgres/idempotency/idempotency";
import { createTcpProxy, socketsThrough, type TcpProxy } from "@headwater/testing";
import { createCodec, createFrameProducer } from "@headwater/topics";
import { type Ground, quiet } from "./services.ts";

/** An ingress in this process whose way to Kafka leads through a proxy that can swallow answers. */
export interface ProxiedIngress {
  readonly port: number;
  readonly proxy: TcpProxy;
  stop(): Promise<void>;
}

const REQUEST_TIMEOUT_MS = 2_000;
const DRAIN_MS = 5_000;

export async function startProxiedIngress(ground: Ground, secret: string): Promise<ProxiedIngress> {
  const { kafkaBrokers, postgresUrl, schemaRegistryUrl } = ground.services;
  const kafkaPort = Number(kafkaBrokers.split(":").at(-1));
  const proxy = await createTcpProxy({ host: "127.0.0.1", port: kafkaPort });
  const logger = quiet;
  const postgres = createPostgres({
    url: postgresUrl,
    poolMax: 4,
    applicationName: "proxied-ingress",
    statementTimeoutMs: 5_000,
    logger,
  });
  const codec = createCodec({ registryUrl: schemaRegistryUrl, schemas: frameSchemas(loggedOperations), logger });
  await codec.ready();
  const producer = createFrameProducer({
    brokers: kafkaBrokers.split(","),
    clientId: "proxied-ingress",
    codec,
    logger,
    requestTimeoutMs: REQUEST_TIMEOUT_MS,
    socketFactory: socketsThrough(new Map([[kafkaPort, proxy]])),
  });
  await producer.start();
  const server = createIngressServer({
    logger,
    metrics: createMetrics({ processMetrics: false }),
    plainHttp: "loopback",
    producer,
    keys: createKeyCache({ find: (hash) => findUsableApiKey(postgres, hash), logger }),
    accounts: accountsIn(postgres),
    partnerLists: createPartnerLists(postgres),
    idempotency: createLeaseStore(postgres, quiet),
    secret,
  });
  const port = await server.start({ host: "127.0.0.1", port: 0 });
  const stop = async () => {
    proxy.setMode("forward");
    await server.stop();
    await producer.drain(DRAIN_MS);
    await postgres.close();
    await proxy.close();
  };
  return { port, proxy, stop };
}
