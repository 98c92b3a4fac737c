import { createClickHouse } from "@headwater/clickhouse/clickhouse";
import { createFairGate, createFlowContext } from "@headwater/kernel";
import { createPostgres } from "@headwater/postgres/connection/postgres";
import { useServices } from "@headwater/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { logger } from "./fresh.ts";

const flows = createFlowContext();
const gateOf = (what: string) =>
  createFairGate({ what, slots: 4, slotsPerFlow: 3, waitingPerFlow: 60, waitMsMax: 60_000 });
const gates = {
  reads: gateOf("reads"),
  writes: gateOf("writes"),
  queries: gateOf("queries"),
  turns: createFairGate({ what: "turns", slots: 100, slotsPerFlow: 1, waitingPerFlow: 60 }),
};
const services = useServices();
const postgres = createPostgres({
  url: services.postgresUrl,
  poolMax: 10,
  applicationName: "test",
  statementTimeoutMs: 20_000,
  shares: { flows, reads: gates.reads, writes: gates.writes, turns: gates.turns, lookupConnections: 2 },
  logger,
});
const clickHouse = createClickHouse({
  url: services.clickhouseUrl,
  requestTimeoutMs: 20_000,
  shares: { flows, queries: gates.queries },
  logger,
});
beforeAll(() => postgres.ping());
afterAll(async () => {
  await postgres.close();
  await clickHouse.close();
});

const slowRead = { text: "SELECT pg_sleep(0.15)" };
const one = { text: "SELECT 1 AS n" };
const lookup = { name: "shares_lookup", text: "SELECT pg_sleep(0.05), 1 AS n", isLookup: true } as const;

const cases = [
  ["reads of Postgres", () => postgres.query(slowRead), () => postgres.query(one)],
  [
    "writes of Postgres",
    () => postgres.transaction((transaction) => transaction.query(slowRead)),
    () => postgres.transaction((transaction) => transaction.query(one)),
  ],
  ["look-ups of Postgres", () => postgres.query(lookup), () => postgres.query(lookup)],
  ["queries of ClickHouse", () => clickHouse.query("SELECT sleep(0.15)"), () => clickHouse.query("SELECT 1 AS n")],
] as const;

test.each(cases)("%s: one account's flood leaves nine others their turn", async (_what, flood, quick) => {
  let floodDone = 0;
  const one = async () => {
    await flood();
    floodDone += 1;
  };
  const hostile = Array.from({ length: 60 }, () => flows.run("hostile", one));
  const seen = await Promise.all(
    Array.from({ length: 9 }, (_, n) =>
      flows.run(n, async () => {
        await quick();
        return floodDone;
      }),
    ),
  );
  // First come, first served would answer them last of all.
  expect(Math.max(...seen)).toBeLessThan(40);
  await Promise.all(hostile);
});

test("transactions about the same rows take turns without a connection, and others go on", async () => {
  let [running, most, done] = [0, 0, 0];
  const write = (turnOf: string) =>
    postgres.transaction(
      async (transaction) => {
        if (turnOf === "hot") most = Math.max(most, ++running);
        await transaction.query({ text: "SELECT pg_sleep(0.02)" });
        if (turnOf === "hot") running -= 1;
        done += 1;
      },
      { turnOf },
    );
  const hot = Array.from({ length: 40 }, () => flows.run("hostile", () => write("hot")));
  // The account's other rows wait for none of them.
  await flows.run("hostile", () => write("cold"));
  expect(done).toBeLessThan(10);
  await Promise.all(hot);
  expect({ most, done }).toEqual({ most: 1, done: 41 });
});

test("an account with too many queries waiting is refused with its own 429, and nobody else is", async () => {
  const flood = Array.from({ length: 100 }, () =>
    flows
      .run("hostile", () => clickHouse.query("SELECT sleep(0.05)"))
      .then(
        () => "answered",
        (error: { code?: string }) => error.code,
      ),
  );
  const honest = flows.run("honest", () => clickHouse.query<{ n: number }>("SELECT 1 AS n"));
  expect(await honest).toEqual([{ n: 1 }]);
  const answers = await Promise.all(flood);
  expect(answers.filter((answer) => answer === "RATE_LIMITED")).toHaveLength(37);
  expect(answers.filter((answer) => answer === "answered")).toHaveLength(63);
});
