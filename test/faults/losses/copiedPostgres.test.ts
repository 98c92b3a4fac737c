import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { createPostgres, type Postgres } from "@headwater/postgres/connection/postgres";
import { migratePostgres } from "@headwater/postgres/migrate/migrate";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  addressEnvironment,
  type RunningServices,
  rootFolder,
  scriptOf,
  startTestServices,
} from "../../../infra/src/index.ts";
import { type Apps, createApps } from "../harness/apps.ts";
import { copyPostgres, takeTransactionNumbers } from "../harness/copyPostgres.ts";
import { type Ground, prepareGround, quiet } from "../harness/services.ts";
import { settle } from "../harness/settle.ts";
import { until } from "../harness/until.ts";

/*
 * The data moves to a fresh cluster by a logical copy, whose transaction numbers are low again, while change events wait in the outbox.
 */

const NAME = "postgres-copied";
const COPY = "postgres-copy";
const COPY_PORTS_ABOVE = 680;
const APP_PORTS_ABOVE = 30;
const MORE_APP_PORTS_ABOVE = 60;
const PEOPLE = 30;
const NUMBERS = 50_000;
const WAIT = { timeoutMs: 90_000 };

let ground: Ground;
let copy: RunningServices;
let copied: Postgres;
let apps: Apps;
let moved: Apps;

const connect = (url: string) =>
  createPostgres({
    ...{ url, poolMax: 4, applicationName: "faults", statementTimeoutMs: 120_000, logger: quiet },
    idleInTransactionTimeoutMs: 600_000,
  });

beforeAll(async () => {
  ground = await prepareGround(NAME, () => undefined);
  const { services } = ground;
  const { POSTGRES_URL: _url, ...input } = { ...process.env, ...addressEnvironment(services) };
  copy = await startTestServices({ name: COPY, portsAbove: COPY_PORTS_ABOVE, env: input });
  await migratePostgres({ url: copy.postgresUrl, logger: quiet });
  copied = connect(copy.postgresUrl);
  const kafkaPort = Number(services.kafkaBrokers.split(":").at(-1));
  apps = createApps({ name: NAME, addresses: services, firstPort: kafkaPort + APP_PORTS_ABOVE });
  const addresses = { ...services, postgresUrl: copy.postgresUrl };
  moved = createApps({ name: COPY, addresses, firstPort: kafkaPort + MORE_APP_PORTS_ABOVE });
  await takeTransactionNumbers(ground.postgres, NUMBERS);
  await Promise.all([apps.projector(0).start(), apps.ingress().start()]);
});

afterAll(async () => {
  await Promise.all([apps?.stop(), moved?.stop()]);
  await copied?.close();
  await copy?.stop();
  await ground?.stop();
});

async function send(by: Apps, tier: string): Promise<void> {
  const items = Array.from({ length: PEOPLE }, (_, index) => ({
    identifiers: { email: `p${index}@example.com` },
    attributes: { tier },
    ...{ canBeCreated: true, canBeUpdated: true },
  }));
  const answer = await fetch(`http://127.0.0.1:${by.ingressPort}/api/upsertContact/batch`, {
    method: "POST",
    headers: { "x-api-key": ground.apiKey, "content-type": "application/json" },
    body: JSON.stringify({ items }),
  });
  expect(answer.status).toBe(202);
}

/** Tiers in ClickHouse, each with the number of people who have it. */
async function tiers(): Promise<Record<string, number>> {
  const rows = await ground.clickhouse.query<{ text: string; people: number }>(
    "SELECT text, count() AS people FROM contact_fields_current FINAL WHERE field = 'attributes.tier' GROUP BY text",
  );
  return Object.fromEntries(rows.map(({ text, people }) => [text, people]));
}

const revisions = async () =>
  new Map(
    (
      await ground.clickhouse.query<{ contact: number; revision: number }>(
        "SELECT contact, max(revision) AS revision FROM contacts_current WHERE account > 0 GROUP BY contact",
      )
    ).map(({ contact, revision }) => [contact, revision]),
  );

const waiting = async (postgres: Postgres) =>
  (await postgres.query<{ rows: number }>({ text: "SELECT count(*) AS rows FROM outbox" }))[0]?.rows ?? 0;

async function headwater(...args: string[]): Promise<{ out: string; said: string }> {
  const env = { ...process.env, ...addressEnvironment({ ...ground.services, postgresUrl: copy.postgresUrl }) };
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [scriptOf("cli"), ...args], {
    env,
    cwd: rootFolder,
  });
  return { out: stdout, said: stderr };
}

/** Lets changes be applied that the relay cannot publish yet, and ends all processes: the log has been read, the outbox is full. */
async function leaveChangesWaiting(): Promise<number> {
  const [begun, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const holder = connect(ground.services.postgresUrl);
  const holding = holder.transaction(async (transaction) => {
    await transaction.query({ text: "SELECT pg_current_xact_id()" });
    begun.resolve();
    await over.promise;
  });
  await begun.promise;
  await send(apps, "silver");
  const isApplied = async () => {
    const text = `SELECT count(*) AS people FROM contacts WHERE doc::text LIKE '%silver%'`;
    const [row] = await ground.postgres.query<{ people: number }>({ text });
    return row?.people === PEOPLE ? undefined : `${row?.people} are changed`;
  };
  await until(isApplied, WAIT);
  const rows = await waiting(ground.postgres);
  await apps.stop();
  over.resolve();
  await holding;
  await holder.close();
  return rows;
}

test("a logical copy in a fresh cluster is refused, and once adopted every change reaches ClickHouse in order", {
  timeout: 600_000,
}, async () => {
  await send(apps, "new");
  await settle(ground);
  expect(await tiers()).toEqual({ new: PEOPLE });
  const before = await revisions();
  const left = await leaveChangesWaiting();
  expect(left).toBeGreaterThan(0);
  await copyPostgres(ground.postgres, copied);

  const { postgres, services } = ground;
  const [there] = await copied.query<{ xid: string }>({ text: "SELECT pg_current_xact_id()::text AS xid" });
  const [here] = await postgres.query<{ xid: string }>({ text: "SELECT xid::text AS xid FROM relay_progress" });
  expect(BigInt(there?.xid ?? 0)).toBeLessThan(BigInt(here?.xid ?? 0));
  const refused = moved.projector(0).start();
  await expect(refused).rejects.toThrow();
  expect(moved.lastWords().join("\n")).toContain("headwater stores adopt postgres");
  await moved.projector(0).stop();
  expect(await waiting(copied)).toBe(left);
  await expect(headwater("stores", "recover")).rejects.toThrow("stores adopt postgres");

  const preview = await headwater("stores", "adopt", "postgres", "-o", "json");
  const rows: { what: string; before: number }[] = JSON.parse(preview.out);
  expect(rows.find(({ what }) => what === "change events that wait in the outbox")?.before).toBe(left);
  const digest = /--confirm (\w+)/.exec(preview.said)?.[1] ?? "";
  const confirmed = (name: string) =>
    headwater("stores", "adopt", "postgres", "--yes", "--confirm", name, "--reason", "a test");
  await expect(confirmed("another")).rejects.toThrow("PREVIEW_STALE");
  expect((await confirmed(digest)).said).toContain("The processes resume by themselves");
  expect((await headwater("stores", "adopt", "postgres")).said).toContain("nothing to adopt");

  await Promise.all([moved.projector(0).start(), moved.ingress().start()]);
  const on = { ...ground, postgres: copied, services: { ...services, postgresUrl: copy.postgresUrl } };
  await settle(on);
  expect(await tiers()).toEqual({ silver: PEOPLE });
  const between = await revisions();
  await send(moved, "gold");
  await settle(on);
  expect(await tiers()).toEqual({ gold: PEOPLE });
  const after = await revisions();
  expect([...after.keys()].toSorted()).toEqual([...before.keys()].toSorted());
  for (const [contact, revision] of before) {
    expect(between.get(contact)).toBeGreaterThan(revision);
    expect(after.get(contact)).toBeGreaterThan(between.get(contact) ?? 0);
  }
});
