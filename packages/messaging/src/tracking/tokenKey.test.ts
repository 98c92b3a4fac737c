import { createCipheriv, createHmac, hkdfSync } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { deriveTokenKey } from "./tokenKey.ts";

const own = Buffer.alloc(32, 5);
const key = deriveTokenKey(own);
const derived = (purpose: string) => Buffer.from(hkdfSync("sha256", own, "", `headwater tracking ${purpose}`, 32));
const bytes = (lengths: { readonly minLength?: number; readonly maxLength: number }) =>
  fc.uint8Array(lengths).map((array) => Buffer.from(array));

test("the HMAC is that of Node, in the bits that a token has", () => {
  fc.assert(
    fc.property(bytes({ maxLength: 3_000 }), (plain) => {
      const whole = createHmac("sha256", derived("mac")).update(plain).digest();
      expect(key.macOf(plain)).toEqual(whole.subarray(0, 16));
    }),
  );
});

/** Counters whose last bytes run over, within a token, too. */
const nearTheEnd = fc.tuple(fc.nat(16), fc.nat(3)).map(([full, less]) => {
  const counter = Buffer.alloc(16, 7).fill(0xff, 16 - full);
  counter[15] = 0xff - less;
  return counter;
});

test("encrypts as the counter mode of OpenSSL does, and decrypts the same way", () => {
  const counter = fc.oneof(bytes({ minLength: 16, maxLength: 16 }), nearTheEnd);
  fc.assert(
    fc.property(bytes({ maxLength: 300 }), counter, (plain, first) => {
      const sealed = createCipheriv("aes-256-ctr", derived("cipher"), first).update(plain);
      expect(key.crypt(plain, first)).toEqual(sealed);
      expect(key.crypt(sealed, first)).toEqual(plain);
    }),
  );
});
