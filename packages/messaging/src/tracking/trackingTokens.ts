import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import { packToken, type TokenKind, type TrackingToken, unpackToken } from "./trackingToken.ts";

/** Makes and opens the tokens that stand in links, pixels and return paths. */
export interface TrackingTokens {
  /** Returns base64url: the same text for the same token, and no id can be read from it. */
  seal(token: TrackingToken): string;
  /** Returns undefined for a token that was cut, changed, made under another key or for another purpose. */
  open(text: string, kinds: readonly TokenKind[]): TrackingToken | undefined;
}

const CIPHER = "aes-256-ctr";
const KEY_BYTES = 32;
const KEY_ID_BYTES = 2;
/** 128 bits of the HMAC, which also are the start of the cipher's counter. */
const MAC_BYTES = 16;
const TEXT_MAX = 8_192;
const FORM = /^[A-Za-z0-9_-]+$/;

interface TokenKey {
  readonly id: Buffer;
  readonly mac: Buffer;
  readonly cipher: Buffer;
}

/**
 * A token is the id of its key, the HMAC of its fields, and its fields encrypted with that HMAC as the counter (the
 * construction of RFC 5297): one key, no nonce, and a changed bit anywhere is another HMAC.
 * @param keys the installation's keys: the first seals, all of them open.
 */
export function createTrackingTokens(keys: readonly Buffer[]): TrackingTokens {
  const derived = keys.map(deriveKey);
  const [first] = derived;
  if (first === undefined) throw new RangeError("tokens need at least one key");
  return {
    seal: (token) => {
      const plain = packToken(token);
      const mac = macOf(first, plain);
      const cipher = createCipheriv(CIPHER, first.cipher, mac);
      return Buffer.concat([first.id, mac, cipher.update(plain)]).toString("base64url");
    },
    open(text, kinds) {
      const plain = decrypt(derived, text);
      if (plain === undefined) return undefined;
      const token = unpackToken(plain);
      return kinds.includes(token.kind) ? token : undefined;
    },
  };
}

function deriveKey(key: Buffer): TokenKey {
  const derive = (purpose: string) =>
    Buffer.from(hkdfSync("sha256", key, "", `headwater tracking ${purpose}`, KEY_BYTES));
  const mac = derive("mac");
  const id = createHash("sha256").update("headwater tracking key").update(mac).digest().subarray(0, KEY_ID_BYTES);
  return { id, mac, cipher: derive("cipher") };
}

function macOf({ mac }: TokenKey, plain: Buffer): Buffer {
  return createHmac("sha256", mac).update(plain).digest().subarray(0, MAC_BYTES);
}

function decrypt(keys: readonly TokenKey[], text: string): Buffer | undefined {
  if (text.length > TEXT_MAX || !FORM.test(text)) return undefined;
  const bytes = Buffer.from(text, "base64url");
  // The last character may hold bits that no byte takes: two texts are never one token.
  if (bytes.length <= KEY_ID_BYTES + MAC_BYTES || bytes.toString("base64url") !== text) return undefined;
  const [id, mac] = [bytes.subarray(0, KEY_ID_BYTES), bytes.subarray(KEY_ID_BYTES, KEY_ID_BYTES + MAC_BYTES)];
  for (const key of keys) {
    if (!key.id.equals(id)) continue;
    const plain = createDecipheriv(CIPHER, key.cipher, mac).update(bytes.subarray(KEY_ID_BYTES + MAC_BYTES));
    if (timingSafeEqual(macOf(key, plain), mac)) return plain;
  }
  return undefined;
}
