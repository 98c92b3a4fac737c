/** Domains of recipients that numbers tell apart; all others are one. The index `sends_oldest_due` is made of them. */
export const KNOWN_DOMAINS = [
  "gmail.com",
  "outlook.com",
  "hotmail.com",
  "yahoo.com",
  "icloud.com",
  "aol.com",
  "gmx.de",
  "web.de",
] as const;

const DOMAIN = "lower(split_part(s.address, '@', -1))";

/** A send's domain: one of those, or `other`; of other channels the channel. */
export const SEND_DOMAIN = `(CASE WHEN s.channel <> 'email' THEN s.channel
  WHEN ${DOMAIN} IN (${KNOWN_DOMAINS.map((domain) => `'${domain}'`).join(", ")}) THEN ${DOMAIN} ELSE 'other' END)`;

/** Transport that a send was tried by; empty before the first attempt. */
export const SEND_TRANSPORT = "(COALESCE(s.transport, ''))";
