import { STATE_GROUP } from "@headwater/contracts";
import { readOutcomesSeen } from "@headwater/intake/accounting/accounting";
import type { Session } from "@headwater/postgres/connection/session";
import type { AccountAlertType, Sample } from "./alert.ts";

const MINUTE_MS = 60_000;
const MINUTES_OF_HOUR = 60;

/** Types that count what happened in each minute. */
export type CountedType = Exclude<AccountAlertType, "lag-seconds" | "intake-rejected-rate">;

/** Events of the minute since 1970. */
export interface MinuteCount {
  readonly minute: number;
  readonly count: number;
}

const perMinute = (name: string, table: string, column: string, where = "true") => ({
  name,
  text: `SELECT ${column} / ${MINUTE_MS} AS minute, count(*) AS count FROM ${table}
    WHERE account = $1 AND ${where} AND ${column} >= $2 AND ${column} < $3 GROUP BY minute ORDER BY minute`,
});
const statements = {
  "jobs-failed": perMinute("alerts_jobs_failed", "jobs", "ended_at", "status = 'Failed'"),
  "runs-failed": perMinute("alerts_runs_failed", "orchestration_runs", "failed_at"),
  "unknown-sends": perMinute("alerts_unknown_sends", "sends", "at", "state = 'unknown'"),
  "webhook-disabled": perMinute("alerts_webhooks_disabled", "webhooks", "disabled_at"),
} as const satisfies Readonly<Record<CountedType, object>>;

/** Minutes since 1970: `first` included, `last` excluded. */
export interface Minutes {
  readonly first: number;
  readonly last: number;
}

/** Counts what happened in an account, by the minutes in which something did. */
export function countByMinute(
  session: Session,
  { account, type, first, last }: Minutes & { readonly account: number; readonly type: CountedType },
): Promise<MinuteCount[]> {
  return session.query<MinuteCount>(statements[type], [account, first * MINUTE_MS, last * MINUTE_MS]);
}

/** Records that an hour has accepted and that have been dealt with, and those among them that were rejected. */
export interface HourCount {
  /** Hour since 1970. */
  readonly hour: number;
  readonly rejected: number;
  readonly records: number;
}

/** Counts the records of an account by the hours that minutes lie in. */
export async function countIntake(
  session: Session,
  { account, first, last }: Minutes & { readonly account: number },
): Promise<HourCount[]> {
  const range = { account, from: hourOf(first), to: hourOf(last - 1) + 1 };
  const { outcomes, rejects } = await readOutcomesSeen(session, STATE_GROUP, range);
  const hours = new Map<number, { rejected: number; records: number }>();
  const add = (hour: number, rejected: number, records: number) => {
    const seen = hours.get(hour) ?? { rejected: 0, records: 0 };
    hours.set(hour, { rejected: seen.rejected + rejected, records: seen.records + records });
  };
  for (const { hour, applied, skipped } of outcomes) add(hour, 0, applied + skipped);
  for (const { hour, rejected, parked } of rejects) add(hour, rejected, rejected + parked);
  return [...hours].map(([hour, counts]) => ({ hour, ...counts }));
}

/** Adds up the hours that a window touches which ends at a minute. */
export function sampleOfHours(hours: readonly HourCount[], minute: number, period: number): Sample {
  const [first, last] = [hourOf(minute - period), hourOf(minute - 1)];
  const touched = hours.filter(({ hour }) => hour >= first && hour <= last);
  return {
    count: touched.reduce((sum, { rejected }) => sum + rejected, 0),
    of: touched.reduce((sum, { records }) => sum + records, 0),
  };
}

/** Adds up the minutes of a window that ends at a minute. */
export function sampleOfMinutes(counts: readonly MinuteCount[], minute: number, period: number): Sample {
  const within = counts.filter((one) => one.minute >= minute - period && one.minute < minute);
  return { count: within.reduce((sum, { count }) => sum + count, 0), of: 0 };
}

function hourOf(minute: number): number {
  return Math.floor(minute / MINUTES_OF_HOUR);
}
