/** Digits before the point that the store sums. */
export const WHOLE_DIGITS_MAX = 24;
const DECIMAL = new RegExp(`^[+-]?\\d{1,${WHOLE_DIGITS_MAX}}(?:\\.\\d+)?$`);

/**
 * A JSON number or numeric string as plain decimal digits with at most 10 fractional ones, for an exact comparison;
 * undefined for anything else and for |x| ≥ 10^24.
 */
export function toDecimalText(input: unknown): string | undefined {
  const text = typeof input === "number" ? plainDigits(input) : input;
  if (typeof text !== "string" || !DECIMAL.test(text)) return undefined;
  const [whole = "0", fraction = ""] = text.replace("+", "").split(".");
  return fraction === "" ? whole : `${whole}.${fraction.slice(0, 10)}`;
}

function plainDigits(number: number): string | undefined {
  const text = String(number);
  if (!text.includes("e")) return text;
  if (Math.abs(number) < 1e21) return number.toFixed(10);
  return Number.isFinite(number) ? BigInt(number).toString() : undefined;
}
