import { parseTime, toPlainTime } from "@headwater/contracts";
import { refusal } from "@headwater/http";

/** Milliseconds since 1970: `from` included, `to` excluded. */
export interface TimeRange {
  readonly from?: number;
  readonly to?: number;
}

/**
 * Reads `name[gt|gte|lt|lte]` (and `name` alone: that day, or that instant). Throws 400 `BAD_REQUEST` for a value that is
 * no date or timestamp.
 */
export function readTimeRange(query: Readonly<Record<string, unknown>>, name: string, timezone: string): TimeRange {
  const at = (suffix: string, plus: number) => {
    const text = query[name + suffix];
    return typeof text === "string" ? readTime(text, name + suffix, timezone) + plus : undefined;
  };
  const exact = query[name];
  const day = typeof exact === "string" ? exactRange(exact, name, timezone) : {};
  const from = greatest([at("[gt]", 1), at("[gte]", 0), day.from]);
  const to = least([at("[lt]", 0), at("[lte]", 1), day.to]);
  return { ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
}

const DATE_LENGTH = "2026-01-31".length;
const LONGEST_DAY_MS = 25 * 3_600_000;

function exactRange(text: string, name: string, timezone: string): TimeRange {
  const from = readTime(text, name, timezone);
  const day = toPlainTime(text);
  if (day?.length !== DATE_LENGTH) return { from, to: from + 1 };
  const next = new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString().slice(0, DATE_LENGTH);
  return { from, to: parseTime(next, timezone) ?? from + LONGEST_DAY_MS };
}

export function readTime(text: string, parameter: string, timezone: string): number {
  const time = parseTime(text, timezone);
  if (time !== undefined) return time;
  const message = "The value is not an ISO 8601 date or timestamp.";
  const details = [{ path: `/${parameter}`, code: "bad_value", message }];
  throw refusal("BAD_REQUEST", `\`${parameter}\` is not an ISO 8601 date or timestamp.`, { details });
}

function greatest(values: readonly (number | undefined)[]): number | undefined {
  return values
    .filter((value) => value !== undefined)
    .reduce<number | undefined>((a, b) => (a === undefined ? b : Math.max(a, b)), undefined);
}

function least(values: readonly (number | undefined)[]): number | undefined {
  return values
    .filter((value) => value !== undefined)
    .reduce<number | undefined>((a, b) => (a === undefined ? b : Math.min(a, b)), undefined);
}
