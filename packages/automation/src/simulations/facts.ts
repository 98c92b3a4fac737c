import { type MembersAt, membersAt } from "@headwater/audiences/criteria/membersAt";
import type { ClickHouse } from "@headwater/clickhouse/clickhouse";
import { parseMcId } from "@headwater/contracts";
import { type CriteriaNode, isMachineSql } from "@headwater/criteria";
import type { Session } from "@headwater/postgres/connection/session";
import { actionsOf } from "../orchestrations/facts.ts";
import type { Activity, Fact, Journey } from "../orchestrations/run.ts";
import { cartDueAt } from "../orchestrations/start.ts";
import { readSentMessages, type SentMessages } from "./sentMessages.ts";

/** Stretch of the past that is simulated. */
export interface Stretch {
  /** Number of the account. */
  readonly account: number;
  readonly journey: Journey;
  /** Milliseconds since 1970: `fromMs` included, `toMs` not. */
  readonly fromMs: number;
  readonly toMs: number;
  /** Facts count by their own time, or by when they were recorded. */
  readonly basis: "event" | "recorded";
  /** Share of the contacts that are followed, from 0 to 1: the same ones for the same seed. */
  readonly share: number;
  readonly seed: number;
  /** Ids of the lists that the version names by name. */
  readonly lists: Readonly<Record<string, number>>;
  /** Criteria of `trigger.audience`. */
  readonly audience: CriteriaNode | undefined;
  /** Keys of templates by their `mdtID`, to know which message an activity is about. */
  readonly templates: ReadonlyMap<string, string>;
  readonly currency: string;
}

export interface FactPorts {
  readonly clickHouse: Pick<ClickHouse, "query">;
  readonly postgres: Session;
  readonly signal: AbortSignal;
}

type QueryPorts = Omit<FactPorts, "postgres">;

/** Rows that are held at a time: contacts are fewer where they have more of them. */
const ROWS_MAX = 200_000;
const SHARES = 1_000_000;
const POINTS_MAX = 20_000;
const TIMEOUT_MS = 600_000;

const within = (column: string) =>
  `${column} >= fromUnixTimestamp64Milli({from: Int64}) AND ${column} < fromUnixTimestamp64Milli({to: Int64})`;

function timesOf({ basis }: Pick<Stretch, "basis">) {
  const isEvent = basis === "event";
  return { activity: isEvent ? "time" : "ingested", order: isEvent ? "purchased_at" : "at" };
}

function paramsOf({ account, fromMs, toMs }: Stretch) {
  return { account, from: fromMs, to: toMs };
}

/** Queries of the contacts that facts of the stretch may let in, by trigger. */
function startsOf(stretch: Stretch): { readonly sql: string[]; readonly params: Record<string, unknown> } {
  const { trigger } = stretch.journey.composition;
  const { activity, order } = timesOf(stretch);
  const sql: string[] = [];
  const params: Record<string, unknown> = {};
  const mine = "account = {account: UInt32}";
  if (trigger.event !== undefined) {
    params.action = trigger.event.action;
    sql.push(`SELECT contact FROM activities WHERE ${mine} AND action = {action: String} AND ${within(activity)}`);
  }
  if (trigger.list !== undefined) {
    params.list = stretch.lists[trigger.list.name] ?? 0;
    params.present = trigger.list.on === "joined" ? 1 : 0;
    const of = "list = {list: UInt32} AND present = {present: UInt8}";
    sql.push(`SELECT contact FROM memberships_history WHERE ${mine} AND ${of} AND ${within("at")}`);
  }
  if (trigger.order !== undefined)
    sql.push(`SELECT contact FROM orders_history WHERE ${mine} AND deleted = 0 AND ${within(order)}`);
  if (trigger.cart !== undefined)
    sql.push(
      `SELECT contact FROM carts_history WHERE ${mine} AND deleted = 0 AND lines > 0 AND at < fromUnixTimestamp64Milli({to: Int64})`,
    );
  if (trigger.audience !== undefined) sql.push(`SELECT contact FROM contacts_current WHERE ${mine} AND deleted = 0`);
  return { sql, params };
}

/** A contact that may enter. */
export interface Candidate {
  readonly contact: number;
  readonly cid: string;
}

/** Returns the next contacts behind a number that facts of the stretch may let in, in order of their numbers, merged ones as their survivors. */
export async function readCandidates(
  stretch: Stretch,
  { after, contactsMax }: { readonly after: number; readonly contactsMax: number },
  { clickHouse, signal }: QueryPorts,
): Promise<Candidate[]> {
  const { sql, params } = startsOf(stretch);
  if (sql.length === 0) return [];
  const aliases = "(SELECT contact AS merged, survivor FROM contact_aliases FINAL WHERE account = {account: UInt32})";
  const owners = `SELECT DISTINCT if(a.survivor = 0, r.contact, a.survivor) AS owner FROM (${sql.join(" UNION ALL ")}) AS r
    LEFT ANY JOIN ${aliases} AS a ON r.contact = a.merged`;
  const chosen = `SELECT owner FROM (${owners}) WHERE owner > {after: UInt64}
    AND cityHash64({seed: Int64}, owner) % ${SHARES} < {share: UInt32} ORDER BY owner LIMIT {most: UInt32}`;
  const text = `SELECT contact, cid FROM contacts_current FINAL WHERE account = {account: UInt32} AND deleted = 0
    AND contact IN (${chosen}) ORDER BY contact`;
  const last = `SELECT max(owner) AS last, count() AS contacts FROM (${chosen})`;
  const all = {
    ...{ ...paramsOf(stretch), ...params, after, most: contactsMax, seed: stretch.seed },
    share: Math.round(stretch.share * SHARES),
  };
  const limits = { signal, timeoutMs: TIMEOUT_MS };
  const rows = await clickHouse.query<Candidate>(text, all, limits);
  if (rows.length > 0) return rows;
  // A page of contacts that are all gone is not the last one.
  const [end] = await clickHouse.query<{ last: number; contacts: number }>(last, all, limits);
  if (end === undefined || end.contacts === 0) return [];
  return readCandidates(stretch, { after: end.last, contactsMax }, { clickHouse, signal });
}

export interface ContactFacts {
  /** Facts by contact, in order of time. */
  readonly facts: ReadonlyMap<number, readonly Fact[]>;
  /** True when more happened than may be held at a time. */
  readonly isCut: boolean;
  /** Ids of the sends that runs of the orchestration really made to these contacts. */
  readonly sent: ReadonlySet<string>;
}

interface Placed {
  readonly fact: Fact;
  /** Orders facts of one instant. */
  readonly order: string;
}

/** Reads what happened to contacts in the stretch, as far as the version asks for it. */
export async function readFacts(
  stretch: Stretch,
  candidates: readonly Candidate[],
  ports: FactPorts,
): Promise<ContactFacts> {
  const contacts = candidates.map(({ contact }) => contact);
  const ownerOf = await readOwners(stretch, contacts, ports);
  const numbers = [...ownerOf.keys()];
  const { account, journey } = stretch;
  const sent = await readSentMessages(ports.postgres, { account, orchestration: journey.orchestration }, numbers);
  const read = await Promise.all([
    readActivities({ stretch, sent }, numbers, ports),
    readLists(stretch, numbers, ports),
    readOrders(stretch, numbers, ports),
    readCarts(stretch, numbers, ports),
    readEntering(stretch, contacts, ports),
  ]);
  const placed = Map.groupBy(read.flat(), ({ fact: { contact } }) => ownerOf.get(contact) ?? contact);
  const facts = new Map<number, readonly Fact[]>();
  for (const [contact, own] of placed) {
    const sorted = own.toSorted((one, other) => one.fact.at - other.fact.at || (one.order < other.order ? -1 : 1));
    facts.set(
      contact,
      sorted.map(({ fact }, position): Fact => ({ ...fact, contact, stream: "log", position })),
    );
  }
  return { facts, isCut: read.some((rows) => rows.length >= ROWS_MAX), sent: sent.effects };
}

/** Returns the contacts that numbers belong to now: their own, and those that were merged into them. */
async function readOwners(
  { account }: Stretch,
  contacts: readonly number[],
  { clickHouse, signal }: QueryPorts,
): Promise<Map<number, number>> {
  const sql = `SELECT contact, survivor FROM contact_aliases FINAL WHERE account = {account: UInt32} AND survivor IN {contacts: Array(UInt64)}`;
  const rows = await clickHouse.query<{ contact: number; survivor: number }>(sql, { account, contacts }, { signal });
  return new Map([
    ...contacts.map((contact) => [contact, contact] as const),
    ...rows.map(({ contact, survivor }) => [contact, survivor] as const),
  ]);
}

interface ActivityRow {
  readonly record: string;
  readonly contact: number;
  readonly action: string;
  readonly atMs: number;
  readonly timeMs: number;
  readonly placed: string;
  readonly properties: string;
  readonly mcId: string;
  readonly isMachine: number;
}

interface OfStretch {
  readonly stretch: Stretch;
  readonly sent: SentMessages;
}

async function readActivities(
  { stretch, sent }: OfStretch,
  contacts: readonly number[],
  { clickHouse, signal }: QueryPorts,
): Promise<Placed[]> {
  const actions = actionsOf(stretch.journey.composition);
  if (actions.length === 0) return [];
  const { activity: time } = timesOf(stretch);
  const place =
    "concat(toString(ingested), leftPad(toString(partition), 5, '0'), leftPad(toString(log_offset), 20, '0'), leftPad(toString(place), 5, '0'))";
  const sql = `SELECT record, contact, action, toUnixTimestamp64Milli(${time}) AS atMs, toUnixTimestamp64Milli(time) AS timeMs,
      ${place} AS placed, properties, mc_id AS mcId, ${isMachineSql()} AS isMachine
    FROM activities FINAL WHERE account = {account: UInt32} AND action IN {actions: Array(String)}
      AND contact IN {contacts: Array(UInt64)} AND ${within(`activities.${time}`)}
    ORDER BY contact, activities.${time} LIMIT ${ROWS_MAX}`;
  const params = { ...paramsOf(stretch), actions, contacts };
  const rows = await clickHouse.query<ActivityRow>(sql, params, { signal, timeoutMs: TIMEOUT_MS });
  return rows.map((row) => ({ fact: toActivity(row, { stretch, sent }), order: row.placed }));
}

function toActivity(
  { record, contact, action, atMs: at, timeMs, properties, mcId, isMachine }: ActivityRow,
  { stretch, sent }: OfStretch,
): Activity {
  const id = parseMcId(mcId)?.message;
  const key = id === undefined ? undefined : stretch.templates.get(id);
  // Of a message that a run really sent it is known which one: a run of that time is simulated under the same id.
  const message = sent.of(mcId) ?? (key === undefined ? undefined : { key });
  return {
    ...{ kind: "activity", id: record, stream: "log", position: 0, at, contact, action },
    time: new Date(timeMs).toISOString(),
    properties: objectOf(properties),
    ...(isMachine === 1 && { isRobot: true }),
    ...(message !== undefined && { message }),
  };
}

function objectOf(text: string): Record<string, unknown> {
  const value: unknown = text === "" ? {} : JSON.parse(text);
  return typeof value === "object" && value !== null ? { ...value } : {};
}

async function readLists(
  stretch: Stretch,
  contacts: readonly number[],
  { clickHouse, signal }: QueryPorts,
): Promise<Placed[]> {
  const { list: trigger } = stretch.journey.composition.trigger;
  if (trigger === undefined) return [];
  const sql = `SELECT contact, present, version, toUnixTimestamp64Milli(at) AS atMs FROM memberships_history FINAL
    WHERE account = {account: UInt32} AND list = {list: UInt32} AND contact IN {contacts: Array(UInt64)} AND ${within("memberships_history.at")}
    ORDER BY contact, version LIMIT ${ROWS_MAX}`;
  const params = { ...paramsOf(stretch), list: stretch.lists[trigger.name] ?? 0, contacts };
  const rows = await clickHouse.query<{ contact: number; present: number; version: string; atMs: number }>(
    sql,
    params,
    {
      signal,
    },
  );
  return rows.map(({ contact, present, version, atMs: at }) => {
    const on = present === 1 ? "joined" : "left";
    const base = { id: `${contact}:${version}`, stream: "log", position: 0, at, contact } as const;
    return { fact: { ...base, kind: "list", list: trigger.name, on }, order: version };
  });
}

async function readOrders(
  stretch: Stretch,
  contacts: readonly number[],
  { clickHouse, signal }: QueryPorts,
): Promise<Placed[]> {
  if (stretch.journey.composition.trigger.order === undefined) return [];
  const { order: time } = timesOf(stretch);
  const sql = `SELECT order_id AS orderId, contact, document, version, toUnixTimestamp64Milli(${time}) AS atMs FROM orders_history FINAL
    WHERE account = {account: UInt32} AND deleted = 0 AND contact IN {contacts: Array(UInt64)} AND ${within(`orders_history.${time}`)}
    ORDER BY contact, version LIMIT ${ROWS_MAX}`;
  interface Row {
    readonly orderId: string;
    readonly contact: number;
    readonly document: string;
    readonly version: string;
    readonly atMs: number;
  }
  const rows = await clickHouse.query<Row>(sql, { ...paramsOf(stretch), contacts }, { signal });
  return rows.map(({ orderId, contact, document, version, atMs: at }) => {
    const base = { id: `${orderId}:${version}`, stream: "log", position: 0, at, contact } as const;
    return { fact: { ...base, kind: "order", orderId, order: objectOf(document) }, order: version };
  });
}

/** Reads carts that stayed as they were for as long as the trigger says. */
async function readCarts(
  stretch: Stretch,
  contacts: readonly number[],
  { clickHouse, signal }: QueryPorts,
): Promise<Placed[]> {
  const { journey, fromMs, toMs } = stretch;
  if (journey.composition.trigger.cart === undefined) return [];
  const sql = `SELECT contact, lines, deleted, document, version, toUnixTimestamp64Milli(at) AS atMs,
      leadInFrame(toUnixTimestamp64Milli(at), 1, toInt64(0)) OVER (PARTITION BY contact ORDER BY version ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING) AS next
    FROM carts_history FINAL WHERE account = {account: UInt32} AND contact IN {contacts: Array(UInt64)}
      AND carts_history.at < fromUnixTimestamp64Milli({to: Int64})
    ORDER BY contact, version LIMIT ${ROWS_MAX}`;
  interface Row {
    readonly contact: number;
    readonly lines: number;
    readonly deleted: number;
    readonly document: string;
    readonly version: string;
    readonly atMs: number;
    /** Time of its next change; 0 without one. */
    readonly next: number;
  }
  const rows = await clickHouse.query<Row>(sql, { ...paramsOf(stretch), contacts }, { signal });
  return rows.flatMap(({ contact, lines, deleted, document, version, atMs: at, next }) => {
    const dueAt = cartDueAt(journey, at);
    const isIdle = dueAt !== undefined && lines > 0 && deleted === 0 && (next === 0 || next > dueAt);
    if (!isIdle || dueAt < fromMs || dueAt >= toMs) return [];
    const base = { id: `${contact}:${version}`, stream: "log", position: 0, at: dueAt, contact } as const;
    return [{ fact: { ...base, kind: "cart" as const, cart: objectOf(document) }, order: version }];
  });
}

/** Finds when contacts enter the audience of the trigger: who is in it at a count and was not at the one before. */
async function readEntering(stretch: Stretch, contacts: readonly number[], ports: FactPorts): Promise<Placed[]> {
  const { journey, audience, fromMs, toMs } = stretch;
  const { audience: key, everySeconds, existing } = journey.composition.trigger;
  if (key === undefined || audience === undefined) return [];
  const bounds = gridOf({ fromMs, toMs, stepMs: everySeconds * 1_000 });
  const codes = await membersAt(audience, membersOf(stretch, contacts, bounds), ports);
  return [...codes].flatMap(([contact, own]) =>
    own.flatMap((code): Placed[] => {
      const index = Math.floor(code / 2);
      if (code % 2 === 1 || (index === 0 && !existing)) return [];
      const at = bounds[index] ?? fromMs;
      const base = { id: `${contact}:${at}`, stream: "log", position: 0, at, contact } as const;
      return [{ fact: { ...base, kind: "audience", audience: key }, order: "" }];
    }),
  );
}

/** Returns instants of a stretch so far apart, or farther where there would be too many. */
export function gridOf({
  fromMs,
  toMs,
  stepMs,
}: {
  readonly fromMs: number;
  readonly toMs: number;
  readonly stepMs: number;
}): number[] {
  const step = Math.max(stepMs, Math.ceil((toMs - fromMs) / POINTS_MAX));
  return Array.from({ length: Math.max(1, Math.ceil((toMs - fromMs) / step)) }, (_, index) => fromMs + index * step);
}

/** Returns how criteria are answered for contacts of a stretch at some instants. */
export function membersOf(stretch: Stretch, contacts: readonly number[], bounds: readonly number[]): MembersAt {
  const { account, basis, currency, journey } = stretch;
  return { account, bounds, basis, timezone: journey.timezone, currency, numbers: contacts };
}
