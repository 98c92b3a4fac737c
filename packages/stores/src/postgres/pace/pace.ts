import {
  domainGauge,
  type Gauge,
  type GaugeState,
  type Grant,
  messageGauge,
  slowedBy,
  startedState,
  type TransportRates,
  takePace,
  transportGauge,
  usualRate,
} from "@headwater/domain/pace";
import { z } from "zod";
import { textArray } from "../connection/arrays.ts";
import type { Postgres } from "../connection/postgres.ts";
import type { Transaction } from "../connection/session.ts";
import { readStoreClock } from "../connection/storeClock.ts";

/** Messages of one transport to one domain that wait to be sent. */
export interface PaceAsk {
  readonly account: number;
  /** Id of the transport. */
  readonly transport: string;
  /** Rates of its settings. */
  readonly rates: TransportRates;
  /** Domain of the recipients in lower case; absent for channels without. */
  readonly domain?: string;
  /** The message, where it has a rate of its own. */
  readonly message?: { readonly id: string; readonly perMinute: number };
  readonly count: number;
}

/** Grant with Postgres' time at which it was given. */
export type TimedGrant = Grant & { readonly atMs: number };

const gaugeState = z.object({
  counts: z.record(z.string(), z.array(z.tuple([z.number(), z.number()]))),
  startedDay: z.number().optional(),
  slowed: z.object({ rate: z.number(), atMs: z.number() }).optional(),
});

const EMPTY = '{"counts":{}}';
const IDLE_MS = 86_400_000;
const insertStatement = {
  name: "pace_insert",
  text: `INSERT INTO pace (account, transport, gauge, state, updated_at)
    SELECT $1, $2, gauge, '${EMPTY}', 0 FROM unnest($3::text[]) AS gauge ORDER BY gauge ON CONFLICT DO NOTHING`,
};
const lockStatement = {
  name: "pace_lock",
  text: `SELECT gauge, state FROM pace WHERE account = $1 AND transport = $2 AND gauge = ANY($3::text[])
    ORDER BY gauge FOR UPDATE`,
};
const updateStatement = {
  name: "pace_update",
  text: `UPDATE pace SET state = $4, updated_at = $5 WHERE account = $1 AND transport = $2 AND gauge = $3`,
};
const idleStatement = { name: "pace_idle", text: "DELETE FROM pace WHERE gauge <> '' AND updated_at < $1" };

/**
 * Takes up to `count` messages of what the transport, the domain and the message have left. All senders ask the same rows, by
 * Postgres' clock, so that together they never exceed a rate.
 */
export function takeTokens(postgres: Pick<Postgres, "transaction">, ask: PaceAsk): Promise<TimedGrant> {
  return postgres.transaction(async (transaction) => {
    const { rates, count } = ask;
    const keys = keysOf(ask);
    const states = await lockStates(transaction, ask, keys);
    const atMs = await readStoreClock(transaction);
    const rows = [...states].map(([key, stored]) => {
      const state = key === "" ? startedState(stored, rates, atMs) : stored;
      return { key, state, gauge: gaugeOf(key, state, ask) };
    });
    const { grant, counts } = takePace(
      rows.map(({ gauge }) => gauge),
      count,
      atMs,
    );
    if (grant.kind === "granted") {
      for (const [place, { key, state }] of rows.entries()) {
        const counted = { ...state, counts: counts[place] ?? {} };
        await transaction.execute(updateStatement, [ask.account, ask.transport, key, JSON.stringify(counted), atMs]);
      }
    }
    return { ...grant, atMs };
  });
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
    const slowed = slowedBy(state.slowed, usualRate(rates, domain), atMs);
    const values = [account, transport, key, JSON.stringify({ ...state, slowed }), atMs];
    await transaction.execute(updateStatement, values);
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

const domainKey = (domain: string) => `d:${domain}`;
const messageKey = (id: string) => `m:${id}`;

function keysOf({ rates, domain, message }: PaceAsk): GaugeKeys {
  const { perSecond, windows = [], warmup = [], perDomain } = rates;
  const isLimited = perSecond !== undefined || windows.length > 0 || warmup.length > 0;
  const always = [...(isLimited ? [""] : []), ...(message === undefined ? [] : [messageKey(message.id)])];
  if (domain === undefined) return { needed: always, asked: always };
  const key = domainKey(domain);
  // A domain without a rate has a row only while a server asks for less.
  return { needed: perDomain?.[domain] === undefined ? always : [...always, key], asked: [...always, key] };
}

function gaugeOf(key: string, state: GaugeState, { rates, domain = "", message }: PaceAsk): Gauge {
  if (key === "") return transportGauge(state, rates);
  if (key === domainKey(domain)) return domainGauge(state, rates, domain);
  return message === undefined ? { limits: [], counts: state.counts } : messageGauge(state, message.perMinute);
}

async function lockStates(
  transaction: Transaction,
  { account, transport }: Pick<PaceAsk, "account" | "transport">,
  { needed, asked }: GaugeKeys,
): Promise<ReadonlyMap<string, GaugeState>> {
  if (asked.length === 0) return new Map();
  const arrayOf = (keys: readonly string[]) => textArray(keys, (key) => key);
  if (needed.length > 0) await transaction.execute(insertStatement, [account, transport, arrayOf(needed)]);
  const values = [account, transport, arrayOf(asked)];
  const rows = await transaction.query<{ gauge: string; state: string }>(lockStatement, values);
  return new Map(rows.map(({ gauge, state }) => [gauge, gaugeState.parse(JSON.parse(state))]));
}
