import { createAccount } from "@headwater/accounts/accounts/accounts";
import type { ClickHouse } from "@headwater/clickhouse/clickhouse";
import { type Account, accountSettings } from "@headwater/contracts";
import { createLogger, HeadwaterError, type ManualClock, manualClock } from "@headwater/kernel";
import type { Postgres } from "@headwater/postgres/connection/postgres";
import { type MemoryPostgres, startMemoryPostgres } from "@headwater/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { webhooks } from "../webhooks/postgres.ts";
import { type EvaluationOutcome, type EvaluationPorts, evaluateAlerts } from "./evaluateAlerts.ts";
import { alerts, evaluateSoon, readAlert } from "./postgres.ts";

const AT = Date.parse("2026-01-05T09:00:30Z");
const MINUTE = 60_000;
const MESSAGE = "65f0c0ffee65f0c0ffee00e1";
const logger = createLogger({ name: "test", level: "silent" });

let memory: MemoryPostgres;
let postgres: Postgres;
let account: Account;
let clock: ManualClock;
/** Sends of the message in any period, and how many of them bounced. */
let counts: { sent: number; bounce: number };
let queries: number;
/** Instant from before which ClickHouse has everything. */
let storesAsOf: number;
let failure: Error | undefined;
let outcomes: EvaluationOutcome[];
let accounts = 0;

beforeAll(async () => {
  memory = await startMemoryPostgres();
  postgres = memory.postgres;
});
afterAll(() => memory.stop());
beforeEach(async () => {
  for (const table of ["alerts", "alert_turns", "alert_mails", "store_lags", "webhook_events", "webhook_deliveries"])
    await postgres.execute({ text: `DELETE FROM ${table}` });
  account = await newAccount();
  clock = manualClock(AT);
  [counts, queries, storesAsOf, failure, outcomes] = [{ sent: 100, bounce: 0 }, 0, AT, undefined, []];
});

async function newAccount(): Promise<Account> {
  const id = String(++accounts).padStart(24, "0");
  const created = await createAccount(postgres, { id, name: "Shop", settings: accountSettings.parse({}) });
  const text = `INSERT INTO batch_messages (account, id, channel, status, settings, created_at, updated_at)
    VALUES ($1, $2, 'email', 'sent', '{"name": "Sale\\r\\nBcc: x@example.com"}', $3, $3)`;
  await postgres.execute({ text }, [created.number, MESSAGE, AT]);
  await listen(created);
  return created;
}

async function listen({ number }: Account) {
  const state = { enabled: true, activation: 1, disabledReason: null, failingSince: null };
  const secrets = { secret: "sealed", formerSecret: null, formerUntil: null };
  const events = { url: "https://hooks.example.com/", events: ["alert.raised", "alert.cleared"], actions: null };
  const members = { ...events, description: null, ...state, ...secrets };
  const name = { account: number, key: "65f0c0ffee65f0c0ffee00f1" };
  await postgres.transaction((transaction) => webhooks.insert(transaction, name, members, AT));
}

/** Creates an alert as its route would. */
async function create(id: string, members: object = {}, owner = account): Promise<void> {
  const watched = { type: "bounce-rate", entity: "batch-message", msID: MESSAGE, mdtID: null } as const;
  const conditions = JSON.stringify([{ operator: "gt", value: 0.05 }]);
  const rest = { enabled: true, notify: ["a@example.com", "b@example.com"], conditions, period: 60, revision: 1 };
  await postgres.transaction(async (transaction) => {
    const name = { account: owner.number, key: id };
    await alerts.insert(transaction, name, { ...watched, ...rest, ...members }, clock.nowMs());
    await evaluateSoon(transaction, owner.number, clock.nowMs());
  });
}

/** A ClickHouse in which the message has what `counts` says, in every window. */
const clickHouse: Pick<ClickHouse, "query"> = {
  async query<Row>(_: string, params: Readonly<Record<string, unknown>> = {}) {
    queries += 1;
    if (failure !== undefined) throw failure;
    const periods = Object.values(params).find((value) => Array.isArray(value) && typeof value[0] === "number");
    const none = { open: 0, click: 0, optout: 0, complaint: 0 };
    const rows = [periods].flat().map((period) => ({ message: MESSAGE, period, ...none, ...counts }));
    const answer: Row[] = JSON.parse(JSON.stringify(rows));
    return answer;
  },
};

const portsOn = (session: Postgres): EvaluationPorts => ({
  ...{ postgres: session, clock, logger, storesAsOf: () => storesAsOf },
  clickHouse: {
    ...clickHouse,
    insertBlock: async () => undefined,
    command: async () => undefined,
    ping: async () => undefined,
    close: async () => undefined,
  },
  onEvaluated: (outcome) => void outcomes.push(outcome),
  onNotice: () => undefined,
});
const evaluate = (session = postgres) => evaluateAlerts(portsOn(session));

/** Lets a minute pass, and everything arrive. */
async function nextMinute(minutes = 1): Promise<void> {
  clock.advance(minutes * MINUTE);
  storesAsOf = clock.nowMs();
  await evaluate();
}

async function read(id: string, owner = account) {
  const row = await alerts.read(postgres, { account: owner.number, key: id });
  if (row === undefined) throw new Error("the alert exists");
  return readAlert(row);
}

async function events(): Promise<string[]> {
  const text = "SELECT type, data FROM webhook_events WHERE account = $1 ORDER BY at, type";
  const rows = await postgres.query<{ type: string; data: string }>({ text }, [account.number]);
  return rows.map(({ type, data }) => `${type} ${JSON.parse(data).value}`);
}

async function mails(): Promise<{ address: string; subject: string }[]> {
  const text = "SELECT address, subject FROM alert_mails WHERE account = $1 ORDER BY created_at, subject, address";
  return postgres.query({ text }, [account.number]);
}

describe("an alert", () => {
  test("is raised once, reminded of by the same event, and cleared, with one mail an address each", async () => {
    await create("a1");
    await evaluate();
    expect(await read("a1")).toMatchObject({ state: "ok", value: 0, asOf: AT - 30_000 });
    counts = { sent: 100, bounce: 10 };
    await nextMinute();
    await nextMinute();
    expect(await events()).toEqual(["alert.raised 0.1"]);
    const subject = "[Headwater] bounce-rate of Sale Bcc: x@example.com is 0.1";
    expect(await mails()).toEqual([
      { address: "a@example.com", subject },
      { address: "b@example.com", subject },
    ]);
    counts = { sent: 100, bounce: 20 };
    await nextMinute(60);
    expect(await events()).toEqual(["alert.raised 0.2"]);
    expect((await mails()).map((mail) => mail.subject)).toContain(subject.replace("is 0.1", "is still 0.2"));
    counts = { sent: 100, bounce: 1 };
    await nextMinute();
    expect(await events()).toEqual(["alert.raised 0.2", "alert.cleared 0.01"]);
    expect(await mails()).toHaveLength(6);
    expect(await read("a1")).toMatchObject({ state: "ok", value: 0.01 });
  });

  test("is posted again, while it stays raised, to those that have its event", async () => {
    await create("a1");
    counts = { sent: 10, bounce: 10 };
    await evaluate();
    await postgres.execute({ text: "UPDATE webhook_deliveries SET state = 'delivered', next_at = NULL, attempts = 3" });
    await nextMinute(61);
    const text = `SELECT state, attempts FROM webhook_deliveries WHERE account = $1 AND next_at <= $2`;
    expect(await postgres.query({ text }, [account.number, clock.nowMs()])).toEqual([
      { state: "pending", attempts: 0 },
    ]);
  });

  test("over nothing that was sent is unjudged, and so is one whose message does not exist", async () => {
    counts = { sent: 0, bounce: 0 };
    await create("a1");
    await create("a2", { msID: "65f0c0ffee65f0c0ffee0bad" });
    await create("a3", { type: "total-sent", conditions: '[{"operator":"lt","value":1}]' });
    await evaluate();
    expect([(await read("a1")).state, (await read("a2")).state]).toEqual(["unjudged", "unjudged"]);
    expect(await read("a3")).toMatchObject({ state: "raised", value: 0 });
  });

  test("is not evaluated while it is disabled, nor by an evaluation that had read it before a change", async () => {
    counts = { sent: 10, bounce: 10 };
    await create("a1", { enabled: false });
    await evaluate();
    expect([(await read("a1")).state, queries]).toEqual(["unjudged", 0]);
    await create("a2");
    const changing = {
      ...postgres,
      async transaction<Result>(...run: Parameters<typeof postgres.transaction<Result>>) {
        await postgres.execute({ text: "UPDATE alerts SET revision = revision + 1 WHERE id = 'a2'" });
        return postgres.transaction(...run);
      },
    };
    await evaluate(changing);
    expect([(await read("a2")).state, await events()]).toEqual(["unjudged", []]);
    await nextMinute();
    expect((await read("a2")).state).toBe("raised");
  });
});

describe("a store that lags", () => {
  test("raises lag-seconds and no rate, which is counted up to where everything has arrived", async () => {
    counts = { sent: 100, bounce: 10 };
    await create("a1");
    await create("a2", {
      type: "lag-seconds",
      entity: "account",
      msID: null,
      conditions: '[{"operator":"gte","value":600}]',
    });
    storesAsOf = AT;
    await evaluate();
    expect([(await read("a1")).state, (await read("a2")).state]).toEqual(["raised", "ok"]);
    counts = { sent: 0, bounce: 0 };
    clock.advance(10 * MINUTE);
    await evaluate();
    expect(await read("a1")).toMatchObject({ state: "raised", value: 0.1, asOf: AT - 30_000 });
    expect(await read("a2")).toMatchObject({ state: "raised", value: 600 });
    expect(await events()).toEqual(["alert.raised 0.1", "alert.raised 600"]);
  });

  test("is known of by a process that has just begun", async () => {
    await create("a2", {
      type: "lag-seconds",
      entity: "account",
      msID: null,
      conditions: '[{"operator":"gte","value":600}]',
    });
    await evaluate();
    [storesAsOf] = [0];
    clock.advance(20 * MINUTE);
    await evaluate();
    expect(await read("a2")).toMatchObject({ state: "raised", value: 1_200 });
  });

  test("leaves a crossing as it is once it went back: unjudged until it is whole again", async () => {
    counts = { sent: 100, bounce: 10 };
    await create("a1");
    await evaluate();
    const code = "STORE_WENT_BACK";
    failure = new HeadwaterError({ code, status: 503, publicMessage: "The store went back.", retriable: true });
    counts = { sent: 0, bounce: 0 };
    await nextMinute();
    expect(await read("a1")).toMatchObject({ state: "unjudged", asOf: AT - 30_000 });
    failure = undefined;
    counts = { sent: 100, bounce: 10 };
    await nextMinute();
    expect([(await read("a1")).state, await events()]).toEqual(["raised", ["alert.raised 0.1"]]);
  });
});

describe("a process that evaluates", () => {
  /** A Postgres whose transactions fail before or after they commit, as a kill would have it. */
  const killedOn = (when: "before" | "after"): Postgres => ({
    ...postgres,
    async transaction<Result>(...[run, options]: Parameters<typeof postgres.transaction<Result>>) {
      if (when === "after") await postgres.transaction(run, options ?? {});
      return postgres.transaction<Result>(async (transaction, atCommit) => {
        if (when === "before") await run(transaction, atCommit);
        throw new Error("killed");
      });
    },
  });

  test.each(["before", "after"] as const)("raises once when it is killed %s its commit", async (when) => {
    await create("a1");
    counts = { sent: 10, bounce: 10 };
    await evaluate(killedOn(when));
    expect(await events()).toEqual(when === "before" ? [] : ["alert.raised 1"]);
    await evaluate();
    // Its claim stands until it ends.
    expect(await events()).toEqual(when === "before" ? [] : ["alert.raised 1"]);
    await nextMinute();
    await nextMinute();
    expect([await events(), (await mails()).length]).toEqual([["alert.raised 1"], 2]);
  });

  test("shares the accounts with others: each is evaluated by one of them", async () => {
    const owners = [account, ...(await Promise.all([newAccount(), newAccount(), newAccount()]))];
    for (const owner of owners) await create("a1", {}, owner);
    await Promise.all([evaluate(), evaluate(), evaluate()]);
    expect([outcomes, queries]).toEqual([owners.map(() => "evaluated"), owners.length]);
  });

  test("stores nothing once its claim is another's", async () => {
    await create("a1");
    counts = { sent: 10, bounce: 10 };
    const overtaken = {
      ...postgres,
      async transaction<Result>(...run: Parameters<typeof postgres.transaction<Result>>) {
        await postgres.execute({ text: "UPDATE alert_turns SET claimed_until = claimed_until + 1" });
        return postgres.transaction(...run);
      },
    };
    await evaluate(overtaken);
    expect([outcomes, await events(), (await read("a1")).state]).toEqual([["lost"], [], "unjudged"]);
  });

  test("asks ClickHouse once for all alerts of an account, and lets slow accounts wait among themselves", async () => {
    for (const period of [16, 60, 1_440]) await create(`a${period}`, { period });
    await evaluate();
    expect(queries).toBe(1);
    const turn = () => postgres.query({ text: "SELECT is_slow AS slow, due_at AS due FROM alert_turns" });
    expect(await turn()).toEqual([{ slow: false, due: AT + 30_000 }]);
    clock.advance(MINUTE);
    storesAsOf = clock.nowMs();
    const slow = { ...portsOn(postgres) };
    await evaluateAlerts({
      ...slow,
      clickHouse: {
        ...slow.clickHouse,
        query: async (...asked) => {
          clock.advance(3_000);
          return slow.clickHouse.query(...asked);
        },
      },
    });
    expect(await turn()).toMatchObject([{ slow: true }]);
    await nextMinute();
    expect(await turn()).toMatchObject([{ slow: false }]);
  });
});
