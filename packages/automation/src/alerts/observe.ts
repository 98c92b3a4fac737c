import type { ClickHouse } from "@headwater/clickhouse/clickhouse";
import type { Account } from "@headwater/contracts";
import { HeadwaterError } from "@headwater/kernel";
import type { Session } from "@headwater/postgres/connection/session";
import {
  type CountedType,
  countByMinute,
  countIntake,
  type MinuteCount,
  sampleOfHours,
  sampleOfMinutes,
} from "./accountCounts.ts";
import { type AccountAlertType, alertValue, isMessageType, type MessageAlertType, type Sample } from "./alert.ts";
import { countSends, type MessageWindow, sampleOf, sumRevenue, windowName } from "./clickhouse.ts";
import type { Observation } from "./fold.ts";
import type { WatchedAlert } from "./postgres.ts";

const MINUTE_MS = 60_000;

export interface ObservePorts {
  readonly postgres: Session;
  /** Its answers count: those of a store that went back are errors. */
  readonly clickHouse: ClickHouse;
}

/** Instants up to which everything has arrived, milliseconds since 1970. */
export interface ObservedUntil {
  readonly nowMs: number;
  /** ClickHouse has everything from before it. */
  readonly stores: number;
}

export interface Observing {
  readonly account: Account;
  readonly alerts: readonly WatchedAlert[];
  /** Names of the messages and templates that exist, by id. */
  readonly targets: ReadonlyMap<string, string>;
  readonly until: ObservedUntil;
  readonly signal: AbortSignal;
}

/**
 * Counts what the alerts of an account watch, with a bounded number of queries: two of ClickHouse, and one of Postgres for each type. What the
 * stores have not come further with since the last time is not counted again; such an alert has no observation. What cannot be counted now, or
 * watches what does not exist, is unjudged.
 */
export async function observe(
  { account, alerts, targets, until, signal }: Observing,
  ports: ObservePorts,
): Promise<ReadonlyMap<string, Observation>> {
  const atStores = wholeMinute(until.stores);
  const atNow = wholeMinute(until.nowMs);
  const isNew = ({ type, asOf }: WatchedAlert) =>
    asOf === null || asOf < (isMessageType(type) || type === "intake-rejected-rate" ? atStores : atNow);
  const fresh = alerts.filter(isNew);
  const ofMessages = fresh.flatMap((alert) => {
    const { type } = alert;
    return isMessageType(type) ? [{ ...alert, type }] : [];
  });
  const [messages, others] = await Promise.all([
    observeMessages(ofMessages, { account, targets, until: atStores, signal }, ports),
    observeAccount(fresh, { account: account.number, atNow, atStores, until }, ports.postgres),
  ]);
  return new Map([...messages, ...others]);
}

type MessageAlert = WatchedAlert & { readonly type: MessageAlertType };
type Observed = readonly (readonly [id: string, Observation])[];

interface MessageScope extends Pick<Observing, "account" | "targets" | "signal"> {
  readonly until: number;
}

async function observeMessages(
  alerts: readonly MessageAlert[],
  { account, targets, until, signal }: MessageScope,
  { clickHouse }: ObservePorts,
): Promise<Observed> {
  const named = alerts.flatMap((alert) => {
    const message = alert.msID ?? alert.mdtID;
    return message !== null && targets.has(message) ? [{ alert, window: { message, period: alert.period } }] : [];
  });
  const windowsOf = (isRevenue: boolean): MessageWindow[] => [
    ...new Map(
      named
        .filter(({ alert }) => (alert.type === "revenue") === isRevenue)
        .map(({ window }) => [windowName(window), window]),
    ).values(),
  ];
  const question = (isRevenue: boolean) => ({ account, windows: windowsOf(isRevenue), until });
  const [sends, revenue] = await Promise.all([
    orUnknown(countSends(question(false), clickHouse, signal)),
    orUnknown(sumRevenue(question(true), clickHouse, signal)),
  ]);
  const sampled = new Map<string, Sample>();
  for (const { alert, window } of named) {
    const sample = messageSample(alert.type, windowName(window), { sends, revenue });
    if (sample !== undefined) sampled.set(alert.id, sample);
  }
  return alerts.map(({ id, type }) => [id, observationOf(type, sampled.get(id), until)]);
}

interface CountedMessages {
  readonly sends: Awaited<ReturnType<typeof countSends>> | undefined;
  readonly revenue: ReadonlyMap<string, number> | undefined;
}

function messageSample(type: MessageAlertType, name: string, { sends, revenue }: CountedMessages): Sample | undefined {
  if (type === "revenue") {
    const sum = revenue?.get(name);
    return sum === undefined ? undefined : { count: sum, of: 0 };
  }
  const counts = sends?.get(name);
  return counts && sampleOf(type, counts);
}

interface AccountScope {
  readonly account: number;
  readonly atNow: number;
  readonly atStores: number;
  readonly until: ObservedUntil;
}

async function observeAccount(
  alerts: readonly WatchedAlert[],
  { account, atNow, atStores, until }: AccountScope,
  postgres: Session,
): Promise<Observed> {
  const observed: (readonly [string, Observation])[] = [];
  for (const [type, own] of Map.groupBy(alerts, (alert) => alert.type)) {
    if (isMessageType(type)) continue;
    const at = type === "intake-rejected-rate" ? atStores : atNow;
    const longest = Math.max(...own.map(({ period }) => period));
    const minutes = { account, first: at / MINUTE_MS - longest, last: at / MINUTE_MS };
    const sampled = await samplesOf(type, { minutes, until }, postgres);
    for (const { id, period } of own)
      observed.push([id, observationOf(type, sampled(at / MINUTE_MS, period), at)] as const);
  }
  return observed;
}

interface AccountMinutes {
  readonly minutes: { readonly account: number; readonly first: number; readonly last: number };
  readonly until: ObservedUntil;
}

/** Returns what the samples of a type are, by the minute at which a window ends and its length. */
async function samplesOf(
  type: AccountAlertType,
  { minutes, until }: AccountMinutes,
  postgres: Session,
): Promise<(minute: number, period: number) => Sample> {
  if (type === "lag-seconds") {
    const count = Math.max(0, Math.floor((until.nowMs - until.stores) / 1_000));
    return () => ({ count, of: 0 });
  }
  if (type === "intake-rejected-rate") {
    const hours = await countIntake(postgres, minutes);
    return (minute, period) => sampleOfHours(hours, minute, period);
  }
  const counts = await countsOf(type, minutes, postgres);
  return (minute, period) => sampleOfMinutes(counts, minute, period);
}

function countsOf(type: CountedType, minutes: AccountMinutes["minutes"], postgres: Session): Promise<MinuteCount[]> {
  return countByMinute(postgres, { ...minutes, type });
}

function observationOf(type: WatchedAlert["type"], sample: Sample | undefined, asOf: number): Observation {
  if (sample === undefined) return { kind: "unjudged", asOf: undefined };
  const value = alertValue(type, sample);
  return value === undefined ? { kind: "unjudged", asOf } : { kind: "value", value, asOf };
}

/** Returns undefined where a store is away, was put back, or does not answer in time. */
async function orUnknown<Result>(counted: Promise<Result>): Promise<Result | undefined> {
  try {
    return await counted;
  } catch (error) {
    if (error instanceof HeadwaterError && error.retriable) return undefined;
    throw error;
  }
}

export function wholeMinute(ms: number): number {
  return Math.floor(ms / MINUTE_MS) * MINUTE_MS;
}
