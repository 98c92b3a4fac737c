import type { ClickHouse } from "@headwater/clickhouse/clickhouse";
import type { Account } from "@headwater/contracts";
import type { Session } from "@headwater/postgres/connection/session";
import { countByMinute, countIntake, sampleOfHours } from "./accountCounts.ts";
import { type AlertCondition, type AlertTarget, alertValue, areMet, isMessageType, type Sample } from "./alert.ts";
import { readRevenue, readSendChanges } from "./clickhouse.ts";
import { readLags } from "./postgres.ts";

const MINUTE_MS = 60_000;

/** An alert that is tried on the past. */
export interface TriedAlert extends AlertTarget {
  readonly conditions: readonly AlertCondition[];
  /** Minutes. */
  readonly period: number;
}

export interface TrialQuestion {
  readonly account: Account;
  readonly alert: TriedAlert;
  /** First and last minute since 1970 at which it would have been evaluated. */
  readonly first: number;
  readonly last: number;
  readonly signal: AbortSignal;
}

export interface TrialPorts {
  readonly postgres: Session;
  readonly clickHouse: ClickHouse;
}

/** Value of an alert at the begin of a minute since 1970; undefined: unjudged. */
export interface ValueAt {
  readonly minute: number;
  readonly value: number | undefined;
}

/** A time in which an alert would have been raised. */
export interface RaisedTime {
  /** Minute since 1970. */
  readonly from: number;
  /** Minute at which it would have been cleared; absent while it still is raised. */
  readonly to?: number;
  /** Value that would have raised it. */
  readonly value: number;
}

/** Reads what the values of an alert would have been at each minute, as far as they were known then, with one query. */
export async function readValues(question: TrialQuestion, ports: TrialPorts): Promise<ValueAt[]> {
  const { alert, first, last } = question;
  const sampleAt = await readSamples(question, ports);
  const values: ValueAt[] = [];
  for (let minute = first; minute <= last; minute += 1) {
    const sample = sampleAt(minute);
    values.push({ minute, value: sample && alertValue(alert.type, sample) });
  }
  return values;
}

/** Returns when an alert would have been raised by these values: a time without one changes nothing. */
export function raisedBy(values: readonly ValueAt[], conditions: readonly AlertCondition[]): RaisedTime[] {
  const times: RaisedTime[] = [];
  let open: RaisedTime | undefined;
  for (const { minute, value } of values) {
    if (value === undefined) continue;
    const isMet = areMet(conditions, value);
    if (isMet && open === undefined) open = { from: minute, value };
    if (isMet || open === undefined) continue;
    times.push({ ...open, to: minute });
    open = undefined;
  }
  return open === undefined ? times : [...times, open];
}

/** A function of the minutes in their order, each once. */
type SampleAt = (minute: number) => Sample | undefined;

async function readSamples(question: TrialQuestion, ports: TrialPorts): Promise<SampleAt> {
  const { account, alert, first, last, signal } = question;
  const { type, period, msID, mdtID } = alert;
  if (isMessageType(type)) {
    const window = { account, message: msID ?? mdtID ?? "", period, last };
    if (type !== "revenue") {
      return addedUp(await readSendChanges({ ...window, type, first }, ports.clickHouse, signal));
    }
    return sliding(await readRevenue({ ...window, first: first - period }, ports.clickHouse, signal), period);
  }
  const minutes = { account: account.number, first: first - period, last };
  switch (type) {
    case "lag-seconds": {
      const lags = new Map((await readLags(ports.postgres, first, last + 1)).map((row) => [row.minute, row.asOf]));
      return (minute) => {
        const asOf = lags.get(minute);
        return asOf === undefined
          ? undefined
          : { count: Math.max(0, Math.floor((minute * MINUTE_MS - asOf) / 1_000)), of: 0 };
      };
    }
    case "intake-rejected-rate": {
      const hours = await countIntake(ports.postgres, minutes);
      return (minute) => sampleOfHours(hours, minute, period);
    }
    case "jobs-failed":
    case "runs-failed":
    case "unknown-sends":
    case "webhook-disabled":
      return sliding(await countByMinute(ports.postgres, { ...minutes, type }), period);
  }
}

/** Adds up changes that hold from a minute on. */
export function addedUp(changes: readonly { minute: number; count: number; of: number }[]): SampleAt {
  let index = 0;
  let sample: Sample = { count: 0, of: 0 };
  return (minute) => {
    for (let change = changes[index]; change !== undefined && change.minute <= minute; change = changes[index]) {
      sample = { count: sample.count + change.count, of: sample.of + change.of };
      index += 1;
    }
    return sample;
  };
}

/** Adds up the minutes of a window that ends at each minute. */
export function sliding(counts: readonly { minute: number; count: number }[], period: number): SampleAt {
  const changes = counts.flatMap(({ minute, count }) => [
    { minute: minute + 1, count, of: 0 },
    { minute: minute + period + 1, count: -count, of: 0 },
  ]);
  return addedUp(changes.toSorted((one, other) => one.minute - other.minute));
}
