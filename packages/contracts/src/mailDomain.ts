import { domainToASCII } from "node:url";

/** Returns the one form of a domain, as DNS has it: in ASCII and lower case. A text that is no domain is only put into lower case. */
export function asciiDomain(domain: string): string {
  return domainToASCII(domain) || domain.toLowerCase();
}

/** Returns the domain of an email address in its one form; undefined for a text that has none. */
export function mailDomain(address: string): string | undefined {
  const at = address.lastIndexOf("@");
  return at < 0 ? undefined : asciiDomain(address.slice(at + 1));
}

/** Returns whether a transport sends mail of a sender. @param fromDomains in their one form; undefined where any will do. */
export function carriesSender(fromDomains: readonly string[] | undefined, from: string): boolean {
  return fromDomains === undefined || fromDomains.includes(mailDomain(from) ?? "");
}

/** Returns an email address with its domain in its one form. */
export function withAsciiDomain(address: string): string {
  const at = address.lastIndexOf("@") + 1;
  return at === 0 ? address : address.slice(0, at) + asciiDomain(address.slice(at));
}
