import type { ErrorDetail } from "./errorCodes.ts";

const codes: ReadonlySet<string> = new Set(Intl.supportedValuesOf("currency"));

/**
 * Returns the detail of an account's currency that ISO 4217 does not name. One that the account has already stays: former versions took any
 * three letters. Orders may have any: their senders know more currencies than this process.
 */
export function wrongCurrency(currency: string, before?: string): ErrorDetail | undefined {
  if (currency === before || codes.has(currency)) return undefined;
  return { path: "/currency", code: "bad_value", message: "`currency` is not an ISO 4217 code." };
}
