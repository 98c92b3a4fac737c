import { type Account, toTimestamp } from "@headwater/contracts";
import { type Answer, refusal } from "@headwater/http";
import { readTime } from "../../paging/timeRange.ts";
import type { ServicePorts } from "../../ports.ts";
import { type AccountingLine, isBalanced } from "../balance.ts";
import { readAccounting } from "../readAccounting.ts";
import type { AccountingQuery } from "./schema.ts";

const HOUR_MS = 3_600_000;
const HOURS_DEFAULT = 24;
const HOURS_MAX = 31 * 24;
/** Hours that are kept: as long as closed dead letters, which are counted by their rows, less the hour that is being deleted. */
const KEPT_HOURS = 90 * 24 - 1;

/** Throws 400 `BAD_REQUEST` for invalid times, 422 `VALIDATION_ERROR` for a range that is too long, too old or empty. */
export async function accountingOf(
  query: AccountingQuery,
  account: Account,
  { signal, ...ports }: Pick<ServicePorts, "postgres" | "clock" | "waits"> & { readonly signal: AbortSignal },
): Promise<Answer> {
  const { from, to } = readHours(query, account, ports.clock.nowMs());
  const lines = await readAccounting({ account: account.number, from, to }, ports, signal);
  const body = { from: timeOf(from), to: timeOf(to), data: lines.map(toRow), balanced: lines.every(isBalanced) };
  return { status: 200, body };
}

/** Returns the hours that the range touches, counted since 1970. */
function readHours({ from, to }: AccountingQuery, account: Account, nowMs: number) {
  const { timezone } = account.settings;
  const last = Math.ceil((to === undefined ? nowMs : readTime(to, "to", timezone)) / HOUR_MS);
  const first = from === undefined ? last - HOURS_DEFAULT : Math.floor(readTime(from, "from", timezone) / HOUR_MS);
  const earliest = Math.floor(nowMs / HOUR_MS) - KEPT_HOURS;
  if (first < earliest) throw outOfRange("from", `Accounting data starts at ${timeOf(earliest)}.`);
  if (first >= last) throw outOfRange("to", "The range ends before it starts.");
  if (last - first > HOURS_MAX) throw outOfRange("to", `The range exceeds ${HOURS_MAX} hours.`);
  return { from: first, to: last };
}

function outOfRange(parameter: string, message: string) {
  return refusal("VALIDATION_ERROR", message, {
    details: [{ path: `/${parameter}`, code: "out_of_range", message }],
  });
}

function toRow({ account: _account, hour, ...counts }: AccountingLine): object {
  return { hour: timeOf(hour), ...counts };
}

function timeOf(hour: number): string {
  return toTimestamp(hour * HOUR_MS);
}
