import { createClickHouse } from "@headwater/clickhouse/clickhouse";
import { createKeyCache, type JsonSchema } from "@headwater/http";
import { createLogger, createMetrics } from "@headwater/kernel";
import { createPostgres } from "@headwater/postgres/connection/postgres";
import { createServiceServer } from "./serviceServer.ts";

/** Nothing listens there, and nothing is asked: stores connect when they are first used. */
const NOWHERE = "127.0.0.1:1/nowhere";

/** The OpenAPI document of `/v2`, as a running service answers it at `/docs/json`, without one. */
export async function serviceDocument(): Promise<JsonSchema> {
  const logger = createLogger({ name: "document", level: "silent" });
  const postgres = createPostgres({
    url: `postgres://${NOWHERE}`,
    poolMax: 1,
    applicationName: "headwater-document",
    statementTimeoutMs: 1_000,
    logger,
  });
  const clickHouse = createClickHouse({ url: `http://${NOWHERE}`, requestTimeoutMs: 1_000, logger });
  const refuse = () => Promise.reject(new Error("A document has no stores."));
  const server = createServiceServer({
    logger,
    metrics: createMetrics({ processMetrics: false }),
    plainHttp: "loopback",
    postgres,
    clickHouse,
    producer: { append: refuse },
    highWatermarks: refuse,
    keys: createKeyCache({ find: refuse, logger }),
    secret: "",
  });
  try {
    return server.openApi();
  } finally {
    await server.stop();
    await Promise.all([postgres.close(), clickHouse.close()]);
  }
}
