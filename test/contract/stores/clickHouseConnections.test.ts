import { type ClickHouse, createClickHouse } from "@headwater/clickhouse/clickhouse";
import { useServices } from "@headwater/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { logger } from "./fresh.ts";

let clickHouse: ClickHouse;
beforeAll(() => {
  const { clickhouseUrl: url } = useServices();
  clickHouse = createClickHouse({ url, requestTimeoutMs: 30_000, connectionsMax: 1, logger });
});
afterAll(() => clickHouse.close());

/** Longer than a connection may be idle. */
const longQuery = "SELECT sum(sleepEachRow(0.6)) AS n FROM numbers(10) SETTINGS max_block_size = 1";

it("a query is not cut when others were given up while they waited for its connection", async () => {
  const first = clickHouse.query("SELECT sleep(0.2)");
  const abandoned = new AbortController();
  const waiting = [1, 2, 3].map(() => clickHouse.query("SELECT 1", {}, { signal: abandoned.signal }));
  const failures = Promise.allSettled(waiting);
  abandoned.abort();
  expect((await failures).map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
  await first;
  expect(await clickHouse.query(longQuery)).toEqual([{ n: 0 }]);
});
