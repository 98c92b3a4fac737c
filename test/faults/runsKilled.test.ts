import { setTimeout as sleep } from "node:timers/promises";
import type { Postgres } from "@headwater/postgres/connection/postgres";
import { expect, test } from "vitest";
import { z } from "zod";
import { type Apps, createApps } from "./harness/apps.ts";
import { createRandom } from "./harness/random.ts";
import { addAccount, prepareGround } from "./harness/services.ts";
import { until } from "./harness/until.ts";

const SEED = Number(process.env.FAULTS_SEED || 36);
const isLong = process.env.HEADWATER_FAULTS === "long";
const CONTACTS = isLong ? 1_000 : 60;
const LOAD_MS = isLong ? 300_000 : 15_000;
const PAUSE_MS = 2_500;
const TEST_MS = isLong ? 3_600_000 : 600_000;
/** Distance of the ports of our processes from Kafka's. */
const PORTS_ABOVE = 200;
const created = z.looseObject({ orchestrationID: z.string() });

/** A contact of the load, and whether it does what its run waits for. */
interface Person {
  readonly email: string;
  readonly buys: boolean;
}

/** Returns the nodes that a run leaves, as its facts allow: nothing of ours is asked. */
function expectedPath({ buys }: Person): string {
  return buys ? "wait 0, bought, last" : "wait timeout, silent, last";
}

test(
  "each run takes the one path that its facts allow, and each goal exists once, through kills of automation and projector",
  async () => {
    const say = (line: string) => console.log(line);
    const ground = await prepareGround("runsKilled", say);
    const firstPort = Number(ground.services.kafkaBrokers.split(":").at(-1)) + PORTS_ABOVE;
    const apps = createApps({ name: "runsKilled", addresses: ground.services, firstPort });
    try {
      const { account, apiKey } = await addAccount(ground.postgres, "runs", ["intake", "read", "write", "admin"]);
      const all = [apps.ingress(), apps.service(), apps.projector(0), apps.automation(0), apps.automation(1)];
      await Promise.all(all.map((one) => one.start()));
      const call = createCall(apps, apiKey);
      await enable(call);
      const people = Array.from({ length: CONTACTS }, (_, n) => ({ email: `p${n}@example.org`, buys: n % 2 === 0 }));
      const kills = killInTurn(apps, LOAD_MS);
      await load(people, call);
      say(`${await kills} kills`);
      await until(() => unfinished(ground.postgres, account.number), { timeoutMs: TEST_MS / 2, everyMs: 1_000 });
      expect(await readPaths(ground.postgres, account.number)).toEqual(
        new Map(people.map((person) => [person.email, [expectedPath(person)]])),
      );
      const [goals] = await ground.postgres.query<{ goals: number; runs: number }>(
        { text: "SELECT count(*) AS goals, count(DISTINCT run) AS runs FROM orchestration_goals WHERE account = $1" },
        [account.number],
      );
      expect(goals).toEqual({ goals: 2 * CONTACTS, runs: CONTACTS });
      expect(apps.lastWords()).toEqual([]);
    } finally {
      await apps.stop();
      await ground.stop();
    }
  },
  TEST_MS,
);

type Call = ReturnType<typeof createCall>;

/** Calls ingress and service, neither of which is killed. @throws Error for any answer but a success. */
function createCall(apps: Apps, apiKey: string) {
  const headers = {
    "content-type": "application/json",
    "x-api-key": apiKey,
    authorization: `Basic ${Buffer.from(`${apiKey}:`).toString("base64")}`,
  };
  return async (target: "ingress" | "service", method: string, path: string, body: object): Promise<unknown> => {
    const port = target === "ingress" ? apps.ingressPort : apps.servicePort;
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method, headers, body: JSON.stringify(body) });
    if (answer.status >= 300) throw new Error(`${answer.status} ${await answer.text()}`);
    return answer.json();
  };
}

async function enable(call: Call): Promise<void> {
  const goal = (name: string) => ({ id: name, type: "goal", config: { name }, next: [{ id: "last" }] });
  const actions = [
    {
      id: "wait",
      type: "wait",
      config: { any: [{ event: "purchase" }], timeout: { n: 1, unit: "minute" } },
      next: [
        { id: "bought", label: "0" },
        { id: "silent", label: "timeout" },
      ],
    },
    ...[goal("bought"), goal("silent")],
    { id: "last", type: "goal", config: { name: "last" } },
  ];
  const members = { name: "killed", trigger: { event: { action: "start" } }, composition: { draft: { actions } } };
  const { orchestrationID } = created.parse(await call("service", "POST", "/v2/orchestrations", members));
  await call("service", "PUT", `/v2/orchestrations/${orchestrationID}`, { publish: true, status: true });
}

/** Sends the activities of all people: those who buy do so seconds after they have entered. */
async function load(people: readonly Person[], call: Call): Promise<void> {
  const happen = (email: string, name: string) => {
    const contact = { identifiers: { email }, attributes: { name: email }, canBeCreated: true };
    const body = { contact, contactactivities: [{ name, time: new Date().toISOString() }] };
    return call("ingress", "POST", "/api/createContactactivities", body);
  };
  const random = createRandom(SEED);
  await Promise.all(
    people.map(async ({ email, buys }) => {
      const [startMs, buyMs] = [random.int(LOAD_MS), 500 + random.int(5_000)];
      await sleep(startMs);
      await happen(email, "start");
      await sleep(buyMs);
      if (buys) await happen(email, "purchase");
    }),
  );
}

async function killInTurn(apps: Apps, forMs: number): Promise<number> {
  const random = createRandom(SEED);
  const victims = [apps.automation(0), apps.automation(1), apps.projector(0)];
  const endsAt = Date.now() + forMs;
  let kills = 0;
  while (Date.now() < endsAt) {
    await sleep(PAUSE_MS);
    victims[random.int(victims.length)]?.kill("SIGKILL");
    kills += 1;
  }
  return kills;
}

async function unfinished(postgres: Postgres, account: number): Promise<string | undefined> {
  const [row] = await postgres.query<{ done: number }>(
    { text: "SELECT count(*) AS done FROM orchestration_runs WHERE account = $1 AND state = 'completed'" },
    [account],
  );
  return row?.done === CONTACTS ? undefined : `${row?.done} of ${CONTACTS} runs are through`;
}

/** Returns the paths of all runs by the address of their contact. */
async function readPaths(postgres: Postgres, account: number): Promise<Map<string, string[]>> {
  const rows = await postgres.query<{ email: string; path: string }>(
    {
      text: `SELECT i.value AS email, string_agg(concat_ws(' ', s.node, s.edge), ', ' ORDER BY s.visit) AS path FROM orchestration_runs r
        JOIN contact_identifiers i ON (i.account, i.contact, i.name) = (r.account, r.contact, 'email')
        JOIN orchestration_steps s ON (s.account, s.run) = (r.account, r.id) WHERE r.account = $1 GROUP BY r.id, i.value ORDER BY i.value`,
    },
    [account],
  );
  return new Map(
    [...Map.groupBy(rows, ({ email }) => email)].map(([email, own]) => [email, own.map(({ path }) => path)]),
  );
}
