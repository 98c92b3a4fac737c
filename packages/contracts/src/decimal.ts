import { withoutTrailing } from "@headwater/kernel";
/** A decimal as a count of ten-thousandths: exact, never a binary float. */
export type TenThousandths = bigint;

const NUMERIC = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,3}))?$/;
const BOUND = 10n ** 18n;
/** Fifteen digits, which a double represents exactly: what nearly all decimals are, and read as numbers they take a fifth of the time. */
const SHORT = /^\d{1,11}(?:\.\d{1,4})?$/;
const SHORT_BOUND = 10n ** 15n;
const UNIT = 10_000;

/**
 * Reads a JSON number or numeric string; more than four fractional digits are rounded half even.
 * @returns undefined when it is no decimal, or |x| >= 10^14.
 */
export function parseDecimal(input: string | number): TenThousandths | undefined {
  if (typeof input === "string" && SHORT.test(input)) return BigInt(Math.round(Number(input) * UNIT));
  const match = NUMERIC.exec(typeof input === "number" ? String(input) : input.trim());
  if (match === null) return undefined;
  const [, sign, whole = "", fraction = "", exponent] = match;
  if (whole.length + fraction.length === 0 || whole.length > 40 || fraction.length > 40) return undefined;
  const power = 4 + Number(exponent ?? 0) - fraction.length;
  const digits = BigInt(whole + fraction);
  if (power > 60) return digits === 0n ? 0n : undefined;
  const scaled = power >= 0 ? digits * 10n ** BigInt(power) : halfEven(digits, 10n ** BigInt(-power));
  if (scaled >= BOUND) return undefined;
  return sign === "-" ? -scaled : scaled;
}

function halfEven(value: bigint, unit: bigint): bigint {
  const quotient = value / unit;
  const twice = (value % unit) * 2n;
  if (twice > unit || (twice === unit && quotient % 2n === 1n)) return quotient + 1n;
  return quotient;
}

/** Shortest decimal text: `12.5`, `-3`, `0.0001`. */
export function formatDecimal(value: TenThousandths): string {
  const short = shortDecimal(value);
  if (short !== undefined) return String(short);
  const digits = (value < 0n ? -value : value).toString().padStart(5, "0");
  const fraction = withoutTrailing(digits.slice(-4), "0");
  const text = digits.slice(0, -4) + (fraction === "" ? "" : `.${fraction}`);
  return value < 0n ? `-${text}` : text;
}

/** The number that is written with the decimal's own digits, as `formatDecimal` has them; undefined for more digits than a double represents. */
export function shortDecimal(value: TenThousandths): number | undefined {
  return value < SHORT_BOUND && value > -SHORT_BOUND ? Number(value) / UNIT : undefined;
}

/** Returns a decimal that was computed; undefined where it is none, because |x| >= 10^14. */
export function bounded(value: TenThousandths): TenThousandths | undefined {
  return value < BOUND && value > -BOUND ? value : undefined;
}

/** Product of a decimal and an integer count. */
export function timesCount(value: TenThousandths, count: number): TenThousandths {
  return value * BigInt(count);
}
