import type { TokenKind, TrackingToken } from "../../tracking/trackingToken.ts";
import type { TrackingTokens } from "../../tracking/trackingTokens.ts";
import { addressesIn } from "./deliveryStatus.ts";
import { mailLimits } from "./mailLimits.ts";

/** Key id, HMAC and the shortest fields, in base64url. */
const TOKEN_CHARACTERS_MIN = 32;
const ADDRESSES_TRIED = 5;
const ADDRESSES_OF_MAIL_TRIED = 20;
const KINDS: readonly TokenKind[] = ["return", "unsubscribe"];

/**
 * Returns the token before the @ of an address. The patterns of transports have words around it that may be of the same characters, so each
 * stretch that could be one is tried: a wrong one fails at the id of its key.
 */
export function tokenInAddress(tokens: TrackingTokens, address: string): TrackingToken | undefined {
  const local = address.slice(0, Math.max(0, address.lastIndexOf("@")));
  return local.length > mailLimits.localCharacters ? undefined : tokenIn(tokens, local);
}

/** Returns the tokens in a text, such as the headers of a mail: of links, and of addresses. */
export function tokensInText(tokens: TrackingTokens, text: string): TrackingToken[] {
  const runs = [...new Set(text.match(/[A-Za-z0-9_-]{32,512}/g))].slice(0, mailLimits.addresses);
  const written = addressesIn(text)
    .filter(({ local }) => local.length >= TOKEN_CHARACTERS_MIN)
    .map(({ local, domain }) => `${local.slice(-mailLimits.localCharacters)}@${domain}`);
  const addresses = [...new Set(written)].slice(0, ADDRESSES_TRIED);
  return [
    ...runs.flatMap((run) => tokens.open(run, KINDS) ?? []),
    ...addresses.flatMap((address) => tokenInAddress(tokens, address) ?? []),
  ];
}

/**
 * Returns a token that stands anywhere in a mail, before anything of it is parsed: as it is, or where quoted-printable or a long header
 * breaks lines. A mail in a mail has no other encoding (RFC 2046, 5.2.1).
 */
export function tokenInMail(tokens: TrackingTokens, head: Buffer): TrackingToken | undefined {
  const text = head.toString("latin1").replaceAll(/=\r?\n|\r?\n(?=[ \t])/g, "");
  for (const [run] of text.matchAll(/[A-Za-z0-9_-]{32,512}/g)) {
    const token = tokens.open(run, KINDS);
    if (token !== undefined) return token;
  }
  const locals = [...text.matchAll(/[^\s<>"(),;:]+/g)].flatMap(([word]) => word.split("@").slice(0, -1));
  for (const local of locals.filter(({ length }) => length >= TOKEN_CHARACTERS_MIN).slice(0, ADDRESSES_OF_MAIL_TRIED)) {
    const token = tokenInAddress(tokens, `${local.slice(-mailLimits.localCharacters)}@`);
    if (token !== undefined) return token;
  }
  return undefined;
}

function tokenIn(tokens: TrackingTokens, text: string): TrackingToken | undefined {
  for (const [run] of text.matchAll(/[A-Za-z0-9_-]+/g)) {
    for (let start = 0; start + TOKEN_CHARACTERS_MIN <= run.length; start += 1) {
      for (let end = run.length; end >= start + TOKEN_CHARACTERS_MIN; end -= 1) {
        const token = tokens.open(run.slice(start, end), KINDS);
        if (token !== undefined) return token;
      }
    }
  }
  return undefined;
}
