import { insertSends } from "@headwater/messaging/sends/insertSends";
import { oldestDueSends } from "@headwater/messaging/sends/oldestDueSends";
import { KNOWN_DOMAINS } from "@headwater/messaging/sends/sendDomain";
import type { Postgres } from "@headwater/postgres/connection/postgres";
import type { Session, Statement } from "@headwater/postgres/connection/session";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Fresh, freshPostgres } from "./fresh.ts";
import { wantedSend } from "./wantedSend.ts";

const NOW = Date.UTC(2026, 0, 9);
let fresh: Fresh<Postgres>;
let contacts = 0;
beforeAll(async () => {
  fresh = await freshPostgres();
  const text = `INSERT INTO transports (account, id, name, channel, type, settings, is_default, enabled, created_at, updated_at)
    VALUES (1, 't1', 'a', 'email', 'smtp', '{}', false, true, 0, 0), (1, 't2', 'b', 'sms', 'http', '{}', false, true, 0, 0)`;
  await fresh.store.execute({ text });
});
afterAll(() => fresh.drop());

interface Due {
  readonly age: number;
  readonly address?: string | null;
  readonly channel?: string;
  readonly transport?: string;
  readonly state?: string;
}

/** Stores a send that has been due for so many milliseconds. */
async function due({ age, address = null, channel = "email", transport, state = "pending" }: Due): Promise<void> {
  contacts += 1;
  const send = wantedSend(1, contacts, { address, channel, dueAt: NOW - age });
  await fresh.store.transaction((transaction) => insertSends(transaction, { account: 1, sends: [send], nowMs: NOW }));
  const text = "UPDATE sends SET transport = $2, state = $3 WHERE account = 1 AND contact = $1";
  await fresh.store.execute({ text }, [contacts, transport ?? null, state]);
}

test("the oldest send that is due is known by type of transport and domain, and others do not count", async () => {
  await due({ age: 10 });
  await due({ age: 70, address: "a@GMAIL.com", transport: "t1", state: "deferred" });
  await due({ age: 90, address: "b@gmail.com", transport: "t1", state: "deferred" });
  await due({ age: 40, address: "c@example.org", transport: "t1", state: "deferred" });
  await due({ age: 50, address: "d@other.example", transport: "t1", state: "deferred" });
  await due({ age: 30, address: "+491", channel: "sms", transport: "t2" });
  await due({ age: 20, address: "e@web.de", transport: "gone" });
  await due({ age: 99, address: "f@yahoo.com", transport: "t1", state: "sent" });
  await due({ age: -5, address: "g@aol.com", transport: "t1", state: "deferred" });
  const found = await oldestDueSends(fresh.store, NOW);
  const ages = found.map(({ transport, domain, oldest }) => `${transport || "-"} ${domain} ${NOW - oldest}`);
  expect(ages.sort()).toEqual([...["- other 10", "- web.de 20", "http sms 30", "smtp gmail.com 90", "smtp other 50"]]);
});

test("however many sends are due, only an index is looked at, one look for each pair of transport and domain", async () => {
  const text = `INSERT INTO sends (account, message, contact, n, kind, cid, channel, classification, priority, state, resends_left,
      created_at, due_at, at, transport, address)
    SELECT 2, 'm', n, 1, 'b', 'c', 'email', 'promotional', 2, 'deferred', 0, 0, n, 0, 'u' || n % 2, 'a@' || d[1 + n % 9]
    FROM generate_series(1, 20000) AS n, (SELECT $1::text[] || 'example.org'::text AS d) AS domains`;
  await fresh.store.execute({ text }, [`{${KNOWN_DOMAINS.join(",")}}`]);
  await fresh.store.execute({ text: "ANALYZE sends" });
  expect(await oldestDueSends(fresh.store, NOW)).toHaveLength(KNOWN_DOMAINS.length + 4);
  const plan = JSON.stringify(await explain((session) => oldestDueSends(session, NOW)));
  expect(plan).toContain("sends_oldest_due");
  expect(plan).not.toMatch(/Seq Scan on sends|sends_pkey|"sends_due"/);
  const [, rows] = /rows=(\d+)/.exec(plan) ?? [];
  expect(Number(rows)).toBeLessThan(100);
  const buffers = [...plan.matchAll(/Buffers: shared hit=(\d+)/g)].map(([, hit]) => Number(hit));
  expect(Math.max(...buffers)).toBeLessThan(500);
});

/** Runs the statement of a read for its plan. */
async function explain(read: (session: Pick<Session, "query">) => Promise<unknown>): Promise<string[]> {
  const asked: { statement: Statement; values: Parameters<Session["query"]>[1] }[] = [];
  await read({
    query: async (statement, values) => {
      asked.push({ statement, values });
      return [];
    },
  });
  const [{ statement, values } = expect.fail()] = asked;
  const text = `EXPLAIN (ANALYZE, BUFFERS, TIMING OFF) ${statement.text}`;
  const lines = await fresh.store.query<{ "QUERY PLAN": string }>({ text }, values);
  return lines.map((line) => line["QUERY PLAN"]);
}
