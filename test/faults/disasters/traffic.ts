import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { until } from "../harness/until.ts";
import { AUDIENCE } from "../sends/people.ts";
import { CONTENT } from "../sends/rounds.ts";
import type { SendsGround } from "../sends/sendsGround.ts";
import type { FrozenAccount } from "./frozenAccount.ts";

/*
 * Work of two accounts while a disaster happens: intake without a pause, an import and a message of one, export after export of the other.
 * Each has its own count of what must have come of it.
 */

const PAUSE_MS = 50;
const ORDERS = 200;
const ENDED_TIMEOUT_MS = 120_000;
const POLL_MS = 500;
const FINAL: readonly string[] = ["Done", "Failed", "Canceled"];
const metadataShape = z.object({ files: z.array(z.object({ rows: z.number() })).default([]) });

export interface Traffic {
  /** Ends the intake and waits until the jobs and the message have ended. @returns differences, none if all is right. */
  end(): Promise<readonly string[]>;
  /** Ends the intake and waits for nothing. */
  abandon(): void;
}

let trafficBegun = 0;

export async function startTraffic(on: SendsGround, frozen: FrozenAccount): Promise<Traffic> {
  trafficBegun += 1;
  const name = `traffic${trafficBegun}`;
  const before = (await on.smtp.taken()).length;
  const message = await startMessage(on);
  const orders = await startImport(on, name);
  const ended = new AbortController();
  const sent = sendContacts(on, name, ended.signal);
  const exported = exportAgainAndAgain(on, frozen, ended.signal);
  return {
    abandon() {
      ended.abort();
      exported.catch(() => undefined);
    },
    async end() {
      ended.abort();
      const { accepted, maybe } = await sent;
      const differences = await exported;
      await untilEnded(on, orders);
      const [job] = await on.ground.postgres.query<{ status: string; inserted: number }>(
        { text: "SELECT status, (result->>'inserted')::int AS inserted FROM jobs WHERE id = $1" },
        [orders],
      );
      if (job?.status !== "Done" || job.inserted !== ORDERS) differences.push(`the import is ${JSON.stringify(job)}`);
      differences.push(...(await compareContacts(on, { accepted, maybe })), ...(await countMails(on, message, before)));
      return differences;
    },
  };
}

async function startMessage({ call }: SendsGround): Promise<string> {
  const { id } = await call("POST", "/v2/batchmessages", {
    ...{ channel: "email", classification: "promotional", audience: AUDIENCE },
    message: {
      headers: { subject: "Hi", fromEmail: "news@example.com", fromDesc: "Shop", replyEmail: "help@example.com" },
      content: { "text/html": CONTENT },
    },
  });
  await call("PUT", `/v2/batchmessages/${id}/send`);
  return String(id);
}

async function startImport({ call, people }: SendsGround, name: string): Promise<string> {
  const rows = Array.from({ length: ORDERS }, (_, n) => ({
    ...{ orderID: `${name}-${n}`, email: people[n % people.length]?.email, purchaseDate: "2026-01-09T22:47:12Z" },
    ...{ status: "file", items: [{ productID: "p", sku: "p", name: "Heart", itemPrice: 2.5, qty: 2 }] },
  }));
  const { url } = await call(
    "POST",
    "/v2/uploads?name=orders.jsonl",
    rows.map((row) => `${JSON.stringify(row)}\n`).join(""),
  );
  const { jobId } = await call("POST", "/v2/ordersimport", { source: { transport: "file", path: url } });
  return String(jobId);
}

interface SentContacts {
  /** Addresses of contacts that were answered 202. */
  readonly accepted: readonly string[];
  /** Addresses without an answer: they may be there. */
  readonly maybe: readonly string[];
}

/** Sends a new contact with one activity after the other. */
async function sendContacts({ apps, apiKey }: SendsGround, name: string, signal: AbortSignal): Promise<SentContacts> {
  const accepted: string[] = [];
  const maybe: string[] = [];
  for (let n = 0; !signal.aborted; n += 1) {
    const email = `${name}-${n}@example.com`;
    const contact = { identifiers: { email }, attributes: { tier: name }, canBeCreated: true };
    const contactactivities = [{ name: "visit", time: new Date(Date.UTC(2026, 0, 1) + n).toISOString() }];
    const answer = await fetch(`http://127.0.0.1:${apps.ingressPort}/api/createContactactivities`, {
      method: "POST",
      headers: { "x-api-key": apiKey, "content-type": "application/json" },
      body: JSON.stringify({ contact, contactactivities }),
      signal: AbortSignal.timeout(20_000),
    }).catch(() => undefined);
    await answer?.arrayBuffer();
    if (answer?.status === 202) accepted.push(email);
    else maybe.push(email);
    await sleep(PAUSE_MS);
  }
  return { accepted, maybe };
}

/** @returns differences of exports: each that ended well has everybody. */
async function exportAgainAndAgain(on: SendsGround, frozen: FrozenAccount, signal: AbortSignal): Promise<string[]> {
  const differences: string[] = [];
  for (let done = 0; !signal.aborted || done === 0; ) {
    const body = { criteria: { field: "attributes.plan", op: "eq", value: "frozen" }, fields: ["email"] };
    const { jobId } = await frozen.call("POST", "/v2/contactexports", body);
    await untilEnded(on, jobId);
    const [job] = await on.ground.postgres.query<{ status: string; metadata: string }>(
      { text: "SELECT status, metadata::text AS metadata FROM jobs WHERE id = $1" },
      [jobId],
    );
    const { files } = metadataShape.parse(JSON.parse(job?.metadata ?? "{}"));
    const rows = files.reduce((sum, file) => sum + file.rows, 0);
    if (job?.status !== "Done" || rows !== frozen.people())
      differences.push(`an export is ${job?.status}: ${rows} rows`);
    done += 1;
    await sleep(POLL_MS);
  }
  return differences;
}

/** A job waits as long as a store is away; the disaster has its own limits. */
async function untilEnded({ ground }: SendsGround, job: string): Promise<void> {
  const look = async () => {
    const text = "SELECT status FROM jobs WHERE id = $1";
    const rows = await ground.postgres.query<{ status: string }>({ text }, [job]).catch(() => []);
    const status = rows[0]?.status ?? "unknown";
    return FINAL.includes(status) ? undefined : `job ${job} is ${status}`;
  };
  await until(look, { timeoutMs: ENDED_TIMEOUT_MS, everyMs: POLL_MS });
}

async function compareContacts(
  { ground, account }: SendsGround,
  { accepted, maybe }: SentContacts,
): Promise<readonly string[]> {
  const differences: string[] = [];
  const look = async () => {
    const stored = await ground.postgres.query<{ value: string; contact: number }>(
      { text: "SELECT value, contact FROM contact_identifiers WHERE account = $1 AND name = 'email'" },
      [account.number],
    );
    const numbers = new Map(stored.map(({ value, contact }) => [value, contact]));
    const rows = await ground.clickhouse.query<{ contact: number; visits: number }>(
      `SELECT contact, count() AS visits FROM activities FINAL WHERE account = ${account.number} AND action = 'visit' GROUP BY contact`,
    );
    const fields = await ground.clickhouse.query<{ contact: number }>(
      `SELECT contact FROM contact_fields_current FINAL WHERE account = ${account.number} AND field = 'attributes.tier'`,
    );
    const seenFields = new Set(fields.map(({ contact }) => contact));
    const visits = new Map(rows.map(({ contact, visits: number }) => [contact, Number(number)]));
    differences.splice(0);
    for (const email of accepted) {
      const seen = visits.get(numbers.get(email) ?? 0) ?? 0;
      if (seen !== 1) differences.push(`${email} has ${seen} visits in ClickHouse`);
      if (!seenFields.has(numbers.get(email) ?? 0)) differences.push(`ClickHouse lacks the change event of ${email}`);
    }
    for (const email of maybe) {
      const seen = visits.get(numbers.get(email) ?? 0) ?? 0;
      if (seen > 1) differences.push(`${email} was sent once and has ${seen} visits`);
    }
    return differences.length === 0 ? undefined : differences.slice(0, 3).join("; ");
  };
  await until(look, { timeoutMs: ENDED_TIMEOUT_MS, everyMs: POLL_MS }).catch(() => undefined);
  if (accepted.length === 0) differences.push("no contact was accepted at all");
  return differences;
}

/** Everybody has one outcome, and no address got the message twice. @param before mails that were taken before it was sent. */
async function countMails(
  { ground, smtp, call, people }: SendsGround,
  id: string,
  before: number,
): Promise<readonly string[]> {
  const look = async () => {
    const { status } = await call("GET", `/v2/batchmessages/${id}`);
    return status === "sent" ? undefined : `message ${id} is ${status}`;
  };
  await until(look, { timeoutMs: ENDED_TIMEOUT_MS, everyMs: POLL_MS });
  const text = "SELECT state, count(*) AS sends FROM sends WHERE message = $1 GROUP BY state";
  const states = await ground.postgres.query<{ state: string; sends: number }>({ text }, [id]);
  const counted = new Map(states.map(({ state, sends }) => [state, sends]));
  const mails = (await smtp.taken()).slice(before);
  const twice = mails.length - new Set(mails.flatMap(({ recipients }) => recipients)).size;
  const outcomes = (counted.get("sent") ?? 0) + (counted.get("unknown") ?? 0);
  return [
    ...(twice === 0 ? [] : [`${twice} people got message ${id} twice`]),
    ...(outcomes === people.length
      ? []
      : [`message ${id} ended ${JSON.stringify(states)} for ${people.length} people`]),
    ...(mails.length <= outcomes && mails.length >= (counted.get("sent") ?? 0)
      ? []
      : [`${mails.length} mails of ${outcomes}`]),
  ];
}
