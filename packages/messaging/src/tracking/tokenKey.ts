import { createCipheriv, createHash, hash, hkdfSync } from "node:crypto";

const KEY_BYTES = 32;
const ID_BYTES = 2;
const BLOCK_BYTES = 16;
/** 128 bits of the HMAC, which also are the start of the cipher's counter. */
const MAC_BYTES = BLOCK_BYTES;
/** Bytes that HMAC puts before what it hashes, and bytes of its hash (RFC 2104). */
const [PAD_BYTES, HASH_BYTES] = [64, 32];

/** Bytes that a token has before its fields. */
export const tokenBytes = { id: ID_BYTES, mac: MAC_BYTES } as const;

/** Work that one of the installation's keys does for tokens. */
export interface TokenKey {
  /** Stands at the start of each token that was sealed with it. */
  readonly id: Buffer;
  /** Returns the first 128 bits of HMAC-SHA-256. */
  macOf(plain: Buffer): Buffer;
  /** Returns the bytes encrypted, or decrypted, by AES-256 in counter mode. */
  crypt(bytes: Buffer, counter: Buffer): Buffer;
}

/**
 * Derives the keys of HMAC and cipher. A click opens one token, and objects of OpenSSL that are made for one use cost more than the
 * rest of a click together: HMAC is two hashes of one call each, and the counter mode is made of one cipher that has no state.
 */
export function deriveTokenKey(key: Buffer): TokenKey {
  const derive = (purpose: string) =>
    Buffer.from(hkdfSync("sha256", key, "", `headwater tracking ${purpose}`, KEY_BYTES));
  const mac = derive("mac");
  const id = createHash("sha256").update("headwater tracking key").update(mac).digest().subarray(0, ID_BYTES);
  return { id, macOf: hmac(mac), crypt: counterMode(derive("cipher")) };
}

function hmac(key: Buffer): TokenKey["macOf"] {
  const inner = padded(key, 0x36);
  const outer = Buffer.concat([padded(key, 0x5c), Buffer.alloc(HASH_BYTES)]);
  return (plain) => {
    outer.set(hash("sha256", Buffer.concat([inner, plain]), "buffer"), PAD_BYTES);
    return hash("sha256", outer, "buffer").subarray(0, MAC_BYTES);
  };
}

function padded(key: Buffer, filler: number): Buffer {
  const pad = Buffer.alloc(PAD_BYTES, filler);
  for (const [index, byte] of key.entries()) pad[index] = byte ^ filler;
  return pad;
}

function counterMode(key: Buffer): TokenKey["crypt"] {
  // Each block is encrypted by itself here; what makes it safe is that no counter is used twice for different fields.
  const block = createCipheriv("aes-256-ecb", key, null).setAutoPadding(false);
  return (bytes, counter) => {
    const stream = block.update(counters(counter, Math.ceil(bytes.length / BLOCK_BYTES)));
    const result = Buffer.allocUnsafe(bytes.length);
    for (let index = 0; index < bytes.length; index += 1) result[index] = (bytes[index] ?? 0) ^ (stream[index] ?? 0);
    return result;
  };
}

/** Returns a counter and those that follow it: numbers of 128 bits, the greatest byte first. */
function counters(first: Buffer, count: number): Buffer {
  const blocks = Buffer.allocUnsafe(count * BLOCK_BYTES);
  for (let place = 0; place < count; place += 1) {
    const start = place * BLOCK_BYTES;
    blocks.set(place === 0 ? first : blocks.subarray(start - BLOCK_BYTES, start), start);
    if (place > 0) increment(blocks, start + BLOCK_BYTES - 1, start);
  }
  return blocks;
}

function increment(bytes: Buffer, last: number, first: number): void {
  for (let index = last; index >= first; index -= 1) {
    const next = ((bytes[index] ?? 0) + 1) & 0xff;
    bytes[index] = next;
    if (next !== 0) return;
  }
}
