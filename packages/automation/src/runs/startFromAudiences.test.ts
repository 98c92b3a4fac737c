import { createServer, type Server } from "node:http";
import { createAliasRevisions } from "@headwater/audiences/audiences/aliasRevisions";
import { createClickHouse } from "@headwater/clickhouse/clickhouse";
import { createLogger } from "@headwater/kernel";
import { type MemoryPostgres, startMemoryPostgres } from "@headwater/testing";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { setAudienceTrigger } from "./audienceRows.ts";
import { startFromAudiences } from "./startFromAudiences.ts";
import { AT, MINUTE, RunsWorld } from "./testRuns.ts";

let memory: MemoryPostgres;
let world: RunsWorld;
/** Plays ClickHouse: of each query about contacts it answers these. */
let server: Server;
let entering: readonly number[] = [];
const queries: string[] = [];
let url: string;
beforeAll(async () => {
  memory = await startMemoryPostgres();
  server = createServer((request, answer) => {
    let body = decodeURIComponent(request.url ?? "");
    request.on("data", (chunk: Buffer) => {
      body += chunk.toString();
    });
    request.on("end", () => {
      const isOfContacts = body.includes("arrayJoin");
      if (isOfContacts) queries.push(body);
      const rows = isOfContacts ? entering.map((contact) => ({ contact })) : [{ revision: "0" }];
      answer.end(rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  url = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/default`;
});
beforeEach(async () => {
  world = await RunsWorld.create(memory.postgres);
  queries.length = 0;
});
afterAll(async () => {
  server.close();
  await memory.stop();
});

test("who is in an audience and was not at its last count enters once, also when a count is repeated", async () => {
  const { number: account } = world.account;
  await memory.postgres.execute(
    {
      text: `INSERT INTO audiences (account, id, key, name, criteria, lists, created_at, updated_at)
        VALUES ($1, 'a1', 'buyers', 'Buyers', '{"list": 1, "op": "in"}', '{}', $2, $2)`,
    },
    [account, AT],
  );
  await memory.postgres.execute(
    {
      text: "INSERT INTO lists (account, id, name, name_key, display_name, created_at) VALUES ($1, 1, 'x', 'x', 'x', $2)",
    },
    [account, AT],
  );
  const end = { id: "end", type: "exit", config: {} };
  const orchestration = await world.publish({
    trigger: { audience: "buyers", everySeconds: 60 },
    entry: { reentry: "always" },
    actions: [end],
  });
  await memory.postgres.transaction((transaction) =>
    setAudienceTrigger(transaction, { account, orchestration, audience: "buyers", countedAt: AT }),
  );
  const clickHouse = createClickHouse({
    url,
    requestTimeoutMs: 5_000,
    logger: createLogger({ name: "t", level: "silent" }),
  });
  const ports = { ...world.process().ports, clickHouse, aliasRevisions: createAliasRevisions({ clickHouse }) };
  const count = () => startFromAudiences(ports, world.clock.nowMs());
  const repeat = () =>
    memory.postgres.execute({ text: "UPDATE orchestration_audiences SET due_at = 0, counted_at = $1" }, [AT]);
  world.clock.advance(MINUTE);
  entering = [1, 2];
  expect(await count()).toBe(true);
  expect(await count()).toBe(false);
  expect(await world.states()).toEqual(["exited", "exited"]);
  await repeat();
  await count();
  expect(await world.states()).toHaveLength(2);
  world.clock.advance(2 * MINUTE);
  entering = [2, 3];
  await count();
  expect(await world.states()).toHaveLength(4);
  expect(queries.at(-1)).toContain("contact NOT IN");
  await clickHouse.close();
});
