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
const ASKED_AT_ONCE = 8;
const ENDED_TIMEOUT_MS = 300_000;
const POLL_MS = 500;
/** Status of a job that Postgres does not hold. */
const GONE = "gone";
const FINAL: readonly string[] = ["Done", "Failed", "Canceled"];
const UNDER_WAY = { timeoutMs: 60_000, everyMs: 20 };
const LOST = "LOST_FROM_LOG";
const metadataShape = z.object({ files: z.array(z.object({ rows: z.number() })).default([]) });

export interface Traffic {
  /** Waits until the import, the message and an export of this traffic are under way together. */
  untilUnderWay(): Promise<void>;
  /** Waits until so many more contacts were accepted. */
  untilAccepted(more: number): Promise<void>;
  /** @throws when the import or the message has ended: a disaster that comes now shows nothing. */
  expectUnderWay(): Promise<void>;
  /** Ends the intake and waits until the jobs and the message have ended. @returns differences, none if all is right. */
  end(): Promise<readonly string[]>;
  /** Ends the intake and waits for nothing. */
  abandon(): void;
}

export interface TrafficOptions {
  /** Rows of the import. */
  readonly orders?: number;
  /**
   * Losses that a disaster brings. `jobs`: those that were started after a copy of Postgres was taken. `records`: those that the log lost
   * before they were read; each has to say so. Default: nothing.
   */
  readonly mayLose?: "jobs" | "records";
}

let trafficBegun = 0;

export async function startTraffic(
  on: SendsGround,
  frozen: FrozenAccount,
  { orders = ORDERS, mayLose }: TrafficOptions = {},
): Promise<Traffic> {
  trafficBegun += 1;
  const name = `traffic${trafficBegun}`;
  const before = (await on.smtp.taken()).length;
  const message = await startMessage(on);
  const job = await startImport(on, name, orders);
  const ended = new AbortController();
  const sent: SentContacts = { accepted: [], maybe: [] };
  const sending = sendContacts(on, name, { sent, signal: ended.signal });
  const exported = exportAgainAndAgain(on, frozen, { mayLose, signal: ended.signal });
  const isUnderWay = async () => {
    const status = await statusOf(on, job);
    const { status: sends } = await on.call("GET", `/v2/batchmessages/${message}`);
    const isRunning = status === "Processing" && sends === "processing";
    return isRunning ? undefined : `the import is ${status}, the message ${sends}`;
  };
  return {
    untilUnderWay: () =>
      until(
        async () => (await isUnderWay()) ?? ((await isExporting(on)) ? undefined : "no export is under way"),
        UNDER_WAY,
      ),
    async untilAccepted(more) {
      const enough = sent.accepted.length + more;
      await until(async () => (sent.accepted.length >= enough ? undefined : "too few are accepted"), UNDER_WAY);
    },
    async expectUnderWay() {
      const missing = await isUnderWay();
      if (missing !== undefined) throw new Error(`too late for a disaster: ${missing}`);
    },
    abandon() {
      ended.abort();
      exported.catch(() => undefined);
    },
    async end() {
      ended.abort();
      await sending;
      const differences = await exported;
      differences.push(
        ...(await compareImport(on, job, { name, orders, mayLose: mayLose === "records" })),
        ...(await compareContacts(on, sent, mayLose === "records")),
        ...(await countMails(on, message, before)),
      );
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

async function startImport({ call, people }: SendsGround, name: string, orders: number): Promise<string> {
  const rows = Array.from({ length: orders }, (_, n) => ({
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

interface AcceptedContact {
  readonly email: string;
  readonly receipt: string;
}

interface SentContacts {
  /** Contacts that were answered 202. */
  readonly accepted: AcceptedContact[];
  /** Addresses without an answer: they may be there. */
  readonly maybe: string[];
}

const acceptedShape = z.object({ receipt: z.string() });

/** Sends a new contact with one activity after the other. */
async function sendContacts(
  { apps, apiKey }: SendsGround,
  name: string,
  { sent, signal }: { readonly sent: SentContacts; readonly signal: AbortSignal },
): Promise<void> {
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
    const body = await answer?.text().catch(() => undefined);
    if (answer?.status === 202 && body !== undefined)
      sent.accepted.push({ email, ...acceptedShape.parse(JSON.parse(body)) });
    else sent.maybe.push(email);
    await sleep(PAUSE_MS);
  }
}

interface Exporting {
  readonly mayLose: TrafficOptions["mayLose"];
  readonly signal: AbortSignal;
}

/** @returns differences of exports: each that ended well has everybody. */
async function exportAgainAndAgain(
  on: SendsGround,
  frozen: FrozenAccount,
  { mayLose, signal }: Exporting,
): Promise<string[]> {
  const differences: string[] = [];
  for (let done = 0; !signal.aborted || done === 0; ) {
    const { criteria, people } = frozen.lastPart();
    const { jobId } = await frozen.call("POST", "/v2/contactexports", { criteria, fields: ["email"] });
    if ((await untilEnded(on, jobId, mayLose === "jobs")) === GONE) continue;
    const [job] = await on.ground.postgres.query<{ status: string; metadata: string }>(
      { text: "SELECT status, metadata::text AS metadata FROM jobs WHERE id = $1" },
      [jobId],
    );
    const { files } = metadataShape.parse(JSON.parse(job?.metadata ?? "{}"));
    const rows = files.reduce((sum, file) => sum + file.rows, 0);
    if (job?.status !== "Done" || rows !== people) differences.push(`an export is ${job?.status}: ${rows} rows`);
    done += 1;
    await sleep(POLL_MS);
  }
  return differences;
}

/** @returns undefined while Postgres does not answer. */
async function statusOf({ ground }: SendsGround, job: string): Promise<string | undefined> {
  const text = "SELECT status FROM jobs WHERE id = $1";
  const rows = await ground.postgres.query<{ status: string }>({ text }, [job]).catch(() => undefined);
  return rows === undefined ? undefined : (rows[0]?.status ?? GONE);
}

async function isExporting({ ground }: SendsGround): Promise<boolean> {
  const text = "SELECT 1 FROM jobs WHERE name = 'ExportContacts' AND status = 'Processing'";
  return (await ground.postgres.query({ text }).catch(() => [])).length > 0;
}

/** A job waits as long as a store is away; the disaster has its own limits. @returns its status at the end. */
async function untilEnded(on: SendsGround, job: string, mayBeGone = false): Promise<string> {
  let status = "unknown";
  const check = async () => {
    status = (await statusOf(on, job)) ?? "unknown";
    return FINAL.includes(status) || (mayBeGone && status === GONE) ? undefined : `job ${job} is ${status}`;
  };
  await until(check, { timeoutMs: ENDED_TIMEOUT_MS, everyMs: POLL_MS });
  return status;
}

interface ImportEnd {
  readonly status: string;
  readonly inserted: number;
  readonly rejected: number;
  /** Orders in Postgres. */
  readonly stored: number;
  /** Rejections that report rows which the log lost. */
  readonly reported: number;
}

const NO_END: ImportEnd = { status: GONE, inserted: 0, rejected: 0, stored: 0, reported: 0 };

/** Each row was imported once, whatever the job wrote twice, or is reported as lost. */
async function compareImport(
  on: SendsGround,
  job: string,
  { name, orders, mayLose }: { readonly name: string; readonly orders: number; readonly mayLose: boolean },
): Promise<readonly string[]> {
  await untilEnded(on, job);
  const [row] = await on.ground.postgres.query<ImportEnd & Record<string, unknown>>(
    {
      text: `SELECT status, (result->>'inserted')::int AS inserted, (result->>'rejected')::int AS rejected,
          (SELECT count(*) FROM orders WHERE order_id LIKE $2) AS stored,
          (SELECT count(*) FROM job_rejections WHERE job = $1 AND code = '${LOST}') AS reported FROM jobs WHERE id = $1`,
    },
    [job, `${name}-%`],
  );
  const { status, inserted, rejected, stored, reported } = row ?? NO_END;
  const isLossRight = mayLose ? rejected > 0 === (reported === 1) : rejected === 0;
  const isRight = status === "Done" && inserted === stored && inserted + rejected === orders && isLossRight;
  return isRight ? [] : [`the import of ${orders} is ${JSON.stringify(row)}`];
}

/** @returns fates of accepted contacts: applied, or lost by the log and reported so. */
async function fatesOf({ call }: SendsGround, accepted: readonly AcceptedContact[]): Promise<Map<string, string>> {
  const fates = new Map<string, string>();
  const left = accepted.values();
  const askNext = async () => {
    for (const { email, receipt } of left) {
      const { state, rejections } = await call("GET", `/v2/receipts/${receipt}`);
      fates.set(email, rejections[0]?.code === LOST ? LOST : state);
    }
  };
  await Promise.all(Array.from({ length: ASKED_AT_ONCE }, askNext));
  return fates;
}

async function compareContacts(on: SendsGround, sent: SentContacts, mayLose: boolean): Promise<readonly string[]> {
  if (sent.accepted.length === 0) return ["no contact was accepted at all"];
  const differences: string[] = [];
  const read = async () => {
    const fates = await fatesOf(on, sent.accepted);
    const { visitsOf, hasField } = await readContacts(on);
    const expected = ({ email }: AcceptedContact) => (mayLose && fates.get(email) === LOST ? 0 : 1);
    const unwritten = sent.accepted.filter((one) => visitsOf(one.email) < expected(one));
    differences.splice(0);
    for (const one of sent.accepted) {
      const fate = fates.get(one.email);
      if (expected(one) === 1 && fate !== "applied") differences.push(`${one.email} is ${fate}`);
      if (visitsOf(one.email) > expected(one)) differences.push(`${one.email} has ${visitsOf(one.email)} visits`);
      if (hasField(one.email) !== (expected(one) === 1)) differences.push(`${one.email}: change event of ${fate}`);
    }
    const unwrittenMax = mayLose ? await readUnwritten(on) : 0;
    if (unwritten.length > unwrittenMax)
      differences.push(`${unwritten.length} contacts, as ${unwritten[0]?.email}, have no visit in ClickHouse`);
    for (const email of sent.maybe) if (visitsOf(email) > 1) differences.push(`${email} was sent once, and came twice`);
    return differences.length === 0 ? undefined : differences.slice(0, 3).join("; ");
  };
  await until(read, { timeoutMs: ENDED_TIMEOUT_MS, everyMs: POLL_MS }).catch(() => undefined);
  return differences;
}

interface ReadContacts {
  visitsOf(email: string): number;
  hasField(email: string): boolean;
}

/** Reads both stores by plain SQL. */
async function readContacts({ ground, account }: SendsGround): Promise<ReadContacts> {
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
  const numberOf = (email: string) => numbers.get(email) ?? 0;
  return {
    visitsOf: (email) => visits.get(numberOf(email)) ?? 0,
    hasField: (email) => seenFields.has(numberOf(email)),
  };
}

/** Returns how many activities adoptions have reported that were applied and that ClickHouse was never given. */
async function readUnwritten({ ground }: SendsGround): Promise<number> {
  const [row] = await ground.postgres.query<{ activities: number }>({
    text: "SELECT COALESCE(sum(activities), 0)::bigint AS activities FROM losses",
  });
  return row?.activities ?? 0;
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
