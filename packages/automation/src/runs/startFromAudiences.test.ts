import { createServer, type Server } from "node:http";
import { createAliasRevisions } from "@headwater/audiences/audiences/aliasRevisions";
import { createClickHouse } from "@headwater/clickhouse/clickhouse";
import { createLogger } from "@headwater/kernel";
import { wantTriggered } from "@headwater/messaging/sending/triggers/wantTriggered";
import { type MemoryPostgres, startMemoryPostgres } from "@headwater/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { answerEntries } from "./answerEntries.ts";
import { setAudienceTrigger } from "./audienceRows.ts";
import { startFromAudiences } from "./startFromAudiences.ts";
import { AT, failing, MINUTE, RunsWorld } from "./testRuns.ts";

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
      if (body.includes("AS among")) {
        answer.end(`${JSON.stringify({ among: entering, aliasRevision: "0" })}\n`);
        return;
      }
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

async function createAudience(account: number): Promise<void> {
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
}

function portsOf() {
  const logger = createLogger({ name: "t", level: "silent" });
  const clickHouse = createClickHouse({ url, requestTimeoutMs: 5_000, logger });
  return { ...world.process().ports, clickHouse, aliasRevisions: createAliasRevisions({ clickHouse }) };
}

test("who is in an audience and was not at its last count enters once, also when a count is repeated", async () => {
  const { number: account } = world.account;
  await createAudience(account);
  const end = { id: "end", type: "exit", config: {} };
  const orchestration = await world.publish({
    trigger: { audience: "buyers", everySeconds: 60 },
    entry: { reentry: "always" },
    actions: [end],
  });
  await memory.postgres.transaction((transaction) =>
    setAudienceTrigger(transaction, { account, orchestration, audience: "buyers", countedAt: AT }),
  );
  const ports = portsOf();
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
  await ports.clickHouse.close();
});

describe("the entry of a template that names an audience", () => {
  async function createTemplates(entry: object): Promise<string> {
    const { number: account } = world.account;
    await createAudience(account);
    await world.createTemplate("offer");
    const text = `UPDATE automation_templates SET settings = (settings::jsonb || $2::jsonb)::text WHERE account = $1 RETURNING mdt_id AS id`;
    const settings = JSON.stringify({ entry: { holdoutPercent: 0, reentry: "always", ...entry } });
    const [row] = await memory.postgres.query<{ id: string }>({ text }, [account, settings]);
    return row?.id ?? "";
  }

  async function happen(mdtId: string, id: string, contact: number): Promise<void> {
    const { number: account } = world.account;
    const text = `INSERT INTO triggered_events (account, record_id, mdt_id, contact, event, at) VALUES ($1, $2, $3, $4, $5, $6)`;
    await memory.postgres.execute({ text }, [account, id, mdtId, contact, '{"properties":{}}', world.clock.nowMs()]);
    await wantTriggered({ postgres: memory.postgres, clock: world.clock }, account - 1);
  }

  /** Sends as a sender would find them: those that it may begin are due. */
  async function sends(): Promise<string[]> {
    const text = `SELECT contact, CASE WHEN due_at <= $2 THEN state ELSE 'held' END AS state, reason FROM sends
      WHERE account = $1 ORDER BY created_at, contact`;
    const values = [world.account.number, world.clock.nowMs()];
    const rows = await memory.postgres.query<{ contact: number; state: string; reason: string | null }>(
      { text },
      values,
    );
    return rows.map(({ contact, state, reason }) => `${contact} ${state}${reason === null ? "" : ` ${reason}`}`);
  }

  test("holds a send until the audience is known, then sends to who is in it and says of the others why not", async () => {
    const mdtId = await createTemplates({ audience: "buyers" });
    for (const contact of [1, 2]) await happen(mdtId, `r${contact}`, contact);
    expect(await sends()).toEqual(["1 held", "2 held"]);
    const ports = portsOf();
    expect(await answerEntries(ports, world.clock.nowMs() - 1)).toBe(0);
    entering = [2];
    expect(await answerEntries(ports, world.clock.nowMs())).toBe(2);
    expect(await sends()).toEqual(["1 skipped audience", "2 pending"]);
    expect(await answerEntries(ports, world.clock.nowMs())).toBe(0);
    await ports.clickHouse.close();
  });

  test("counts the entries of those alone who are in it, and a kill at the answer changes nothing", async () => {
    const mdtId = await createTemplates({ audience: "buyers", reentry: "once" });
    await happen(mdtId, "r1", 1);
    entering = [];
    const ports = portsOf();
    await answerEntries(ports, world.clock.nowMs());
    entering = [1];
    for (const when of ["before", "after"] as const) {
      world.clock.advance(MINUTE);
      await happen(mdtId, when, 1);
      const killed = () => Object.assign(new Error("killed"), { code: "ECONNRESET" });
      const dying = { ...ports, postgres: failing(memory.postgres, { at: 1, when, killed }) };
      await expect(answerEntries(dying, world.clock.nowMs())).rejects.toThrow();
      await memory.postgres.execute({ text: "UPDATE template_entry_questions SET claimed_until = 0" });
      await answerEntries(ports, world.clock.nowMs());
    }
    expect(await sends()).toEqual(["1 skipped audience", "1 pending", "1 skipped reentry"]);
    await ports.clickHouse.close();
  });
});
