import { domainToASCII } from "node:url";

/** RFC 5321, 4.1.2, with the dots that mailboxes really have. */
const MAILBOX = /^(?<local>"(?:[^"\\\p{Cc}]|\\[^\p{Cc}])*"|[^\s\p{Cc}"(),:;<>@[\\\]]+)@(?<domain>[^@]+)$/u;
const LITERAL = /^\[[\da-z:.-]+\]$/i;
const HOST = /^[\da-z_-]+(?:\.[\da-z_-]+)*$/i;

/**
 * Returns an address as it stands in an envelope: its domain in ASCII, for servers without SMTPUTF8 take no other. Undefined for what is no
 * mailbox.
 */
export function envelopeAddress(address: string): string | undefined {
  const { local, domain = "" } = MAILBOX.exec(address)?.groups ?? {};
  if (local === undefined) return undefined;
  if (LITERAL.test(domain)) return address;
  const host = domainToASCII(domain);
  return HOST.test(host) ? `${local}@${host}` : undefined;
}
