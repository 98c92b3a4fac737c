import { type FilterImplOptions, filters } from "liquidjs";

export interface FilterDefaults {
  /** IANA name. */
  readonly timezone: string;
  /** ISO 4217 code. */
  readonly currency: string;
}

interface FilterThis {
  readonly context: { readonly opts: object };
}

const LOCALE_DEFAULT = "en-US";

/** `date: format, zone, locale`: the filter of LiquidJS, in a language of the caller's choice. */
export const date: FilterImplOptions = function (this: FilterThis, value, format, zone, locale) {
  if (locale === undefined) return call(this, value, format, zone);
  const opts = { ...this.context.opts, locale: canonicalLocale(locale) };
  const context: unknown = Object.create(this.context, { opts: { value: opts } });
  return call({ ...this, context }, value, format, zone);
};

function call(self: object, ...values: readonly unknown[]): unknown {
  const built = filters.date;
  return typeof built === "function" ? Reflect.apply(built, self, values) : "";
}

/** `money: currency, locale`: an amount as people write it. What is no number stays as it is. */
export function moneyFilter({ currency: usual }: Pick<FilterDefaults, "currency">): FilterImplOptions {
  return (value: unknown, currency: unknown = usual, locale: unknown = LOCALE_DEFAULT) => {
    const amount = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
    if (typeof amount !== "number" || !Number.isFinite(amount)) return value;
    const options = { style: "currency", currency: String(currency) } as const;
    return new Intl.NumberFormat(canonicalLocale(locale), options).format(amount);
  };
}

/** @throws RangeError for what is no locale. */
function canonicalLocale(locale: unknown): string {
  return Intl.getCanonicalLocales(String(locale))[0] ?? LOCALE_DEFAULT;
}
