/** An address or a domain that is suppressed. */
export interface SuppressionTarget {
  readonly kind: "address" | "domain";
  readonly value: string;
}

/** Returns the domain of an email address; undefined for a text that has none. */
export function domainOf(address: string): string | undefined {
  const at = address.lastIndexOf("@");
  return at < 0 ? undefined : address.slice(at + 1).toLowerCase();
}
