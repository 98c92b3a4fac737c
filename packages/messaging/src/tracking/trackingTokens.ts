import { timingSafeEqual } from "node:crypto";
import { deriveTokenKey, type TokenKey, tokenBytes } from "./tokenKey.ts";
import { packToken, type TokenKind, type TrackingToken, unpackToken } from "./trackingToken.ts";

/** Makes and opens the tokens that stand in links, pixels and return paths. */
export interface TrackingTokens {
  /** Returns base64url: the same text for the same token, and no id can be read from it. */
  seal(token: TrackingToken): string;
  /** Returns undefined for a token that was cut, changed, made under another key or for another purpose. */
  open(text: string, kinds: readonly TokenKind[]): TrackingToken | undefined;
}

const TEXT_MAX = 8_192;
const FORM = /^[A-Za-z0-9_-]+$/;

/**
 * A token is the id of its key, the HMAC of its fields, and its fields encrypted with that HMAC as the counter (the
 * construction of RFC 5297): one key, no nonce, and a changed bit anywhere is another HMAC.
 * @param keys the installation's keys: the first seals, all of them open.
 */
export function createTrackingTokens(keys: readonly Buffer[]): TrackingTokens {
  const derived = keys.map(deriveTokenKey);
  const [first] = derived;
  if (first === undefined) throw new RangeError("tokens need at least one key");
  return {
    seal: (token) => {
      const plain = packToken(token);
      const mac = first.macOf(plain);
      return Buffer.concat([first.id, mac, first.crypt(plain, mac)]).toString("base64url");
    },
    open(text, kinds) {
      const plain = decrypt(derived, text);
      if (plain === undefined) return undefined;
      const token = unpackToken(plain);
      return kinds.includes(token.kind) ? token : undefined;
    },
  };
}

const FIELDS_AT = tokenBytes.id + tokenBytes.mac;

function decrypt(keys: readonly TokenKey[], text: string): Buffer | undefined {
  if (text.length > TEXT_MAX || !FORM.test(text)) return undefined;
  const bytes = Buffer.from(text, "base64url");
  // The last character may hold bits that no byte takes: two texts are never one token.
  if (bytes.length <= FIELDS_AT || bytes.toString("base64url") !== text) return undefined;
  const [id, mac] = [bytes.subarray(0, tokenBytes.id), bytes.subarray(tokenBytes.id, FIELDS_AT)];
  for (const key of keys) {
    if (!key.id.equals(id)) continue;
    const plain = key.crypt(bytes.subarray(FIELDS_AT), mac);
    if (timingSafeEqual(key.macOf(plain), mac)) return plain;
  }
  return undefined;
}
