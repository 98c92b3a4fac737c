import { textArray } from "@headwater/postgres/connection/arrays";
import type { Postgres } from "@headwater/postgres/connection/postgres";
import type { Transaction } from "@headwater/postgres/connection/session";
import { readStoreClock } from "@headwater/postgres/connection/storeClock";
import { z } from "zod";
import { type Gauge, type GaugeUse, type Grant, takePace } from "./gauge.ts";
import type { TransportRates } from "./limits.ts";
import { dayOf, type PaceLimit, perSecondLimit, rollingLimit, warmupLimit } from "./limits.ts";

/** Time in which a slowed rate doubles. */
const RECOVERY_MS = 60_000;

/** Answers within this time are about one and the same speed. */
const ONE_ASKING_MS = 10_000;

const RATE_MIN = 0.1;

/** Rate that is halved where a transport has none of its own. */
const RATE_DEFAULT = 20;

const SECOND_MS = 1_000;

/** Messages of one transport that share all their rates. */
export interface PaceGroup {
  /** Domain of the recipients in lower case; absent for channels without. */
  readonly domain?: string;
  /** The message, where it has a rate of its own. */
  readonly message?: { readonly id: string; readonly perMinute: number };
  readonly count: number;
}

/** Messages of one transport that wait to be sent. */
export interface PaceAsk {
  readonly account: number;
  /** Id of the transport. */
  readonly transport: string;
  /** Rates of its settings. */
  readonly rates: TransportRates;
  readonly groups: readonly PaceGroup[];
}

/** Tokens that are taken in a transaction. */
export interface Tokens {
  /** Postgres' time at which they were taken; undefined where nothing of the transport is limited. */
  readonly atMs: number | undefined;
  /** Grants of the groups, in their order. */
  readonly grants: readonly Grant[];
  /** Counts the first ones of each group that were used. What was granted beyond them is free again. */
  store(used: readonly number[]): Promise<void>;
}

const gaugeState = z.object({
  counts: z.record(z.string(), z.array(z.tuple([z.number(), z.number()]))),
  startedDay: z.number().optional(),
  slowed: z.object({ rate: z.number(), atMs: z.number() }).optional(),
});

const EMPTY = '{"counts":{}}';
const IDLE_MS = 86_400_000;
const lockStatement = {
  name: "pace_lock",
  text: `SELECT gauge, state FROM pace WHERE account = $1 AND transport = $2 AND gauge = ANY($3::text[])
    ORDER BY gauge FOR UPDATE`,
};
const insertStatement = {
  name: "pace_insert",
  text: `INSERT INTO pace (account, transport, gauge, state, updated_at)
    SELECT $1, $2, gauge, '${EMPTY}', 0 FROM unnest($3::text[]) AS gauge ORDER BY gauge ON CONFLICT DO NOTHING`,
};
const updateStatement = {
  name: "pace_update_all",
  text: `UPDATE pace p SET state = k.state, updated_at = $5 FROM unnest($3::text[], $4::text[]) AS k (gauge, state)
    WHERE p.account = $1 AND p.transport = $2 AND p.gauge = k.gauge`,
};
const idleStatement = {
  name: "pace_idle",
  text: `DELETE FROM pace WHERE (account, transport, gauge) IN (
      SELECT account, transport, gauge FROM pace WHERE gauge <> '' AND updated_at < $1 FOR UPDATE SKIP LOCKED)`,
};

/**
 * Takes what the transport, the domains and the messages have left, in the transaction that stores the intents, so that they count where they are
 * used. All senders ask the same rows, locked in one order, by Postgres' clock: together they never exceed a rate.
 */
export async function takeTokens(transaction: Transaction, ask: PaceAsk): Promise<Tokens> {
  const states = await lockStates(transaction, ask, keysOf(ask));
  if (states.size === 0) {
    const grants = ask.groups.map(({ count }) => takePace([], count, 0).grant);
    return { atMs: undefined, grants, store: async () => undefined };
  }
  const atMs = await readStoreClock(transaction);
  return {
    atMs,
    grants: takeAll(states, ask, atMs).grants,
    async store(used) {
      const groups = ask.groups.map((group, index) => ({ ...group, count: used[index] ?? 0 }));
      const taken = takeAll(states, { ...ask, groups }, atMs);
      await storeStates(transaction, { ...ask, atMs }, [...taken.states]);
    },
  };
}

/** Takes for one group after the other: each sees what those before it took. */
function takeAll(before: ReadonlyMap<string, GaugeState>, ask: PaceAsk, atMs: number) {
  const states = new Map(before);
  const grants = ask.groups.map((group): Grant => {
    const rows = keysOfGroup(ask.rates, group).flatMap((key) => {
      const stored = states.get(key);
      const state = key === "" && stored ? startedState(stored, ask.rates, atMs) : stored;
      return state === undefined ? [] : [{ key, state, gauge: gaugeOf(key, state, { ...group, rates: ask.rates }) }];
    });
    const gauges = rows.map(({ gauge }) => gauge);
    const { grant, uses } = takePace(gauges, group.count, atMs);
    if (grant.granted > 0) {
      for (const [position, { key, state }] of rows.entries()) states.set(key, { ...state, ...uses[position] });
    }
    return grant;
  });
  return { grants, states };
}

/** Halves the rate of a transport to a domain: a server asked for it by 421 or 454. It recovers by itself. */
export function slowDown(
  postgres: Pick<Postgres, "transaction">,
  ask: Pick<PaceAsk, "account" | "transport" | "rates"> & { readonly domain: string },
): Promise<void> {
  const { account, transport, rates, domain } = ask;
  return postgres.transaction(async (transaction) => {
    const key = domainKey(domain);
    const states = await lockStates(transaction, ask, { needed: [key], asked: [key] });
    const state = states.get(key) ?? { counts: {} };
    const atMs = await readStoreClock(transaction);
    const slowed = slowedBy(state.slowed, defaultRate(rates, domain), atMs);
    await storeStates(transaction, { account, transport, atMs }, [[key, { ...state, slowed }]]);
  });
}

/** Deletes counts of domains and messages that nobody sent to for a day. @returns how many. */
export async function deleteIdlePace(postgres: Pick<Postgres, "transaction">): Promise<number> {
  return postgres.transaction(async (transaction) => {
    const nowMs = await readStoreClock(transaction);
    return transaction.execute(idleStatement, [nowMs - IDLE_MS]);
  });
}

interface GaugeKeys {
  /** Keys of gauges that have limits: their rows are made. */
  readonly needed: readonly string[];
  readonly asked: readonly string[];
}

const DOMAIN = "d:";
const domainKey = (domain: string) => `${DOMAIN}${domain}`;
const messageKey = (id: string) => `m:${id}`;

function keysOf({ rates, groups }: PaceAsk): GaugeKeys {
  const asked = [...new Set(groups.flatMap((group) => keysOfGroup(rates, group)))];
  // A domain without a rate has a row only while a server asks for less.
  const isNeeded = (key: string) =>
    !key.startsWith(DOMAIN) || rates.perDomain?.[key.slice(DOMAIN.length)] !== undefined;
  return { needed: asked.filter(isNeeded), asked };
}

function keysOfGroup({ perSecond, windows = [], warmup = [] }: TransportRates, { domain, message }: PaceGroup) {
  const isLimited = perSecond !== undefined || windows.length > 0 || warmup.length > 0;
  return [
    ...(isLimited ? [""] : []),
    ...(domain === undefined ? [] : [domainKey(domain)]),
    ...(message === undefined ? [] : [messageKey(message.id)]),
  ];
}

function gaugeOf(
  key: string,
  state: GaugeState,
  { rates, domain = "", message }: PaceGroup & Pick<PaceAsk, "rates">,
): Gauge {
  if (key === "") return transportGauge(state, rates);
  if (key === domainKey(domain)) return domainGauge(state, rates, domain);
  return message === undefined ? { ...state, limits: [] } : messageGauge(state, message.perMinute);
}

/** Locks the rows that are there, then makes those that are missing: whoever waits for a row that is made holds only rows before it. */
async function lockStates(
  transaction: Transaction,
  of: Pick<PaceAsk, "account" | "transport">,
  { needed, asked }: GaugeKeys,
): Promise<ReadonlyMap<string, GaugeState>> {
  const there = await lockRows(transaction, of, asked);
  const missing = needed.filter((key) => !there.has(key));
  if (missing.length === 0) return there;
  await transaction.execute(insertStatement, [of.account, of.transport, textArray(missing, (key) => key)]);
  return new Map([...there, ...(await lockRows(transaction, of, missing))]);
}

async function lockRows(
  transaction: Transaction,
  { account, transport }: Pick<PaceAsk, "account" | "transport">,
  keys: readonly string[],
): Promise<Map<string, GaugeState>> {
  if (keys.length === 0) return new Map();
  const values = [account, transport, textArray(keys, (key) => key)];
  const rows = await transaction.query<{ gauge: string; state: string }>(lockStatement, values);
  return new Map(rows.map(({ gauge, state }) => [gauge, gaugeState.parse(JSON.parse(state))]));
}

async function storeStates(
  transaction: Transaction,
  { account, transport, atMs }: Pick<PaceAsk, "account" | "transport"> & { readonly atMs: number },
  states: readonly (readonly [key: string, state: GaugeState])[],
): Promise<void> {
  const keys = textArray(states, ([key]) => key);
  const texts = textArray(states, ([, state]) => JSON.stringify(state));
  await transaction.execute(updateStatement, [account, transport, keys, texts, atMs]);
}

/** State of a gauge as it is kept. */
export interface GaugeState extends GaugeUse {
  /** First day of the warm-up, days since 1970. */
  readonly startedDay?: number | undefined;
  readonly slowed?: SlowedRate | undefined;
}

/** Returns the state of a transport's gauge under its rates: a plan of warm-up begins with the first message. */
export function startedState(state: GaugeState, { warmup }: TransportRates, nowMs: number): GaugeState {
  const startedDay = warmup === undefined ? undefined : (state.startedDay ?? dayOf(nowMs));
  return { ...state, startedDay };
}

/** Returns the gauge of all messages of a transport. */
export function transportGauge({ counts, startedDay = 0 }: GaugeState, rates: TransportRates): Gauge {
  const { perSecond, windows = [], warmup } = rates;
  const limits: PaceLimit[] = [
    ...(perSecond === undefined ? [] : [perSecondLimit("perSecond", () => perSecond)]),
    ...windows.map((window) => rollingLimit(`window ${window.count}/${window.per.n} ${window.per.unit}`, window)),
    ...(warmup === undefined || warmup.length === 0 ? [] : [warmupLimit(warmup, startedDay)]),
  ];
  return { limits, counts };
}

/** Returns the gauge of a transport's messages to one domain. */
export function domainGauge({ counts, slowed }: GaugeState, rates: TransportRates, domain: string): Gauge {
  const perDomain = rates.perDomain?.[domain];
  if (perDomain === undefined && slowed === undefined) return { limits: [], counts };
  const fallback = defaultRate(rates, domain);
  const rateAt = (slice: number) => slowedRateAt(slowed, fallback, slice * SECOND_MS) ?? perDomain ?? fallback;
  return { limits: [perSecondLimit("perSecond", rateAt)], counts };
}

/** Returns the rate of a domain without slowing. */
function defaultRate({ perDomain, perSecond = RATE_DEFAULT }: TransportRates, domain: string): number {
  return perDomain?.[domain] ?? perSecond;
}

/** Returns the gauge of one message. */
function messageGauge({ counts }: GaugeState, perMinute: number): Gauge {
  return { limits: [rollingLimit("perMinute", { count: perMinute, per: { n: 1, unit: "minute" } })], counts };
}

/** Rate that a server asked for by 421 or 454. */
interface SlowedRate {
  /** Messages a second at `atMs`. */
  readonly rate: number;
  readonly atMs: number;
}

/** Halves the rate, once for all answers that came together. @param defaults rate without slowing. */
export function slowedBy(slowed: SlowedRate | undefined, defaults: number, nowMs: number): SlowedRate {
  if (slowed !== undefined && nowMs - slowed.atMs < ONE_ASKING_MS) return slowed;
  const rate = slowedRateAt(slowed, defaults, nowMs) ?? defaults;
  return { rate: Math.min(defaults, Math.max(RATE_MIN, rate / 2)), atMs: nowMs };
}

/** Returns the rate that is left; undefined once it is as high as without slowing. */
export function slowedRateAt(slowed: SlowedRate | undefined, usual: number, nowMs: number): number | undefined {
  if (slowed === undefined) return undefined;
  const rate = slowed.rate * 2 ** (Math.max(0, nowMs - slowed.atMs) / RECOVERY_MS);
  return rate >= usual ? undefined : rate;
}
