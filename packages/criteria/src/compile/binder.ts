import { FIRST_MS } from "../moment.ts";

/** Collects the values of one query as bound parameters, so that no text of a caller ever becomes SQL. */
export interface Binder {
  readonly params: Readonly<Record<string, unknown>>;
  string(value: string): string;
  strings(values: readonly string[]): string;
  float(value: number): string;
  floats(values: readonly number[]): string;
  uint(value: number): string;
  ints(values: readonly number[]): string;
  decimal(value: string): string;
  /** UTC milliseconds as DateTime64(3). */
  instant(milliseconds: number): string;
}

/**
 * A binder whose equal values share one parameter: equal rules then compile to equal SQL and are read once.
 * @param prefix of the parameters' names; parts of one statement that are compiled apart have one each.
 */
export function createBinder(prefix = "p"): Binder {
  const params: Record<string, unknown> = {};
  const known = new Map<string, string>();
  const bind = (type: string, value: unknown): string => {
    const key = `${type} ${JSON.stringify(value)}`;
    const placeholder = known.get(key) ?? `{${prefix}${known.size}:${type}}`;
    if (!known.has(key)) {
      params[`${prefix}${known.size}`] = value;
      known.set(key, placeholder);
    }
    return placeholder;
  };
  return {
    params,
    string: (value) => bind("String", value),
    strings: (values) => bind("Array(String)", values),
    float: (value) => bind("Float64", value),
    floats: (values) => bind("Array(Float64)", values),
    uint: (value) => bind("UInt64", value),
    ints: (values) => bind("Array(Int64)", values),
    decimal: (value) => bind("Decimal(38, 10)", value),
    instant: (value) => bind("DateTime64(3, 'UTC')", instantText(value)),
  };
}

/** The last instant that ClickHouse reads; it keeps none beyond. */
const LAST_MS = Date.parse("9999-12-31T23:59:59.999Z");

function instantText(milliseconds: number): string {
  const named = Math.min(LAST_MS, Math.max(FIRST_MS, milliseconds));
  return new Date(named).toISOString().replace("T", " ").slice(0, "2026-01-31 00:00:00.000".length);
}
