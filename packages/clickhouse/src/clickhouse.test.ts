import { createServer } from "node:http";
import { createLogger } from "@headwater/kernel";
import { expect, test } from "vitest";
import { createClickHouse } from "./clickhouse.ts";

test("a query that its bound ends is told from a store that is away", async () => {
  const silent = createServer(() => undefined);
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  const address = silent.address();
  if (address === null || typeof address === "string") throw new Error("a server has a port");
  const logger = createLogger({ name: "test", level: "silent" });
  const url = `http://127.0.0.1:${address.port}/headwater`;
  const clickHouse = createClickHouse({ url, requestTimeoutMs: 5_000, logger });
  const error = { status: 503, publicMessage: "The query took too long. Retry later." };
  await expect(clickHouse.query("SELECT 1", {}, { timeoutMs: 20 })).rejects.toMatchObject(error);
  silent.closeAllConnections();
  await new Promise((resolve) => silent.close(resolve));
  const away = { status: 503, publicMessage: "The analytical store is unavailable." };
  await expect(clickHouse.query("SELECT 1")).rejects.toMatchObject(away);
  await clickHouse.close();
});
