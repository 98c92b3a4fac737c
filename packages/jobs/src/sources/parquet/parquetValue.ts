import { withoutTrailing } from "@headwater/kernel/text";
import { RECORD_BYTES_MAX } from "../splitRecords.ts";

/** Readers of instants and days, which become texts; one that no date has is missing. */
export const parsers = {
  timestampFromMilliseconds: (millis: bigint) => momentOf(Number(millis)),
  timestampFromMicroseconds: (micros: bigint) => momentOf(Number(micros / 1_000n)),
  timestampFromNanoseconds: (nanos: bigint) => momentOf(Number(nanos / 1_000_000n)),
  dateFromDays: (days: number) => momentOf(days * DAY_MS)?.slice(0, DATE_CHARACTERS) ?? null,
} as const;

const DAY_MS = 86_400_000;
const DATE_CHARACTERS = 10;
const MOMENT_MS_MAX = 8.64e15;

function momentOf(ms: number): string | null {
  return Math.abs(ms) <= MOMENT_MS_MAX ? new Date(ms).toISOString() : null;
}

/**
 * The text of a value in JSON; undefined for a missing one. Whole numbers that no number of JSON keeps stand as their digits.
 * @param scale digits behind the point, of a decimal column.
 */
export function jsonTextOf(value: unknown, scale: number | undefined): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (scale !== undefined) return decimalText(value, scale);
  if (typeof value === "number" && !Number.isFinite(value)) return undefined;
  if (typeof value === "string") return JSON.stringify(value.slice(0, RECORD_BYTES_MAX));
  return JSON.stringify(value, (_, inner: unknown) => (typeof inner === "bigint" ? integerOf(inner) : inner));
}

function integerOf(value: bigint): number | string {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value.toString();
}

/** Digits as they are: of 1999 with 2 behind the point `19.99`. */
function decimalText(value: unknown, scale: number): string | undefined {
  const stored = unscaledOf(value);
  if (stored === undefined) return undefined;
  const digits = (stored < 0n ? -stored : stored).toString().padStart(scale + 1, "0");
  const whole = digits.slice(0, digits.length - scale);
  const fraction = withoutTrailing(digits.slice(digits.length - scale), "0");
  return `${stored < 0n ? "-" : ""}${whole}${fraction === "" ? "" : `.${fraction}`}`;
}

function unscaledOf(value: unknown): bigint | undefined {
  if (typeof value === "bigint") return value;
  if (typeof value === "number") return Number.isSafeInteger(value) ? BigInt(value) : undefined;
  if (!(value instanceof Uint8Array) || value.length === 0) return undefined;
  return BigInt.asIntN(value.length * 8, BigInt(`0x${Buffer.from(value).toString("hex")}`));
}
