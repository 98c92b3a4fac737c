import type { FilterImplOptions } from "liquidjs";
import { canonicalLocale, LOCALE_DEFAULT } from "./locale.ts";

export interface FilterDefaults {
  /** IANA name. */
  readonly timezone: string;
  /** ISO 4217 code. */
  readonly currency: string;
}

/** `money: currency, locale`: an amount as people write it. What is no number stays as it is. */
export function moneyFilter({ currency: fallback }: Pick<FilterDefaults, "currency">): FilterImplOptions {
  return (value: unknown, currency: unknown = fallback, locale: unknown = LOCALE_DEFAULT) => {
    const amount = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
    if (typeof amount !== "number" || !Number.isFinite(amount)) return value;
    const options = { style: "currency", currency: String(currency) } as const;
    return new Intl.NumberFormat(canonicalLocale(locale), options).format(amount);
  };
}
