const DECIMAL = /^[+-]?\d{1,24}(?:\.\d+)?$/;

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
  return Math.abs(number) < 1e21 ? number.toFixed(10) : undefined;
}
