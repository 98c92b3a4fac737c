export const LOCALE_DEFAULT = "en-US";

/** @throws RangeError for what is not a locale. */
export function canonicalLocale(locale: unknown): string {
  return Intl.getCanonicalLocales(String(locale))[0] ?? LOCALE_DEFAULT;
}
