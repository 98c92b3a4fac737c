import type { Algorithms } from "ssh2";
import ssh2 from "ssh2";

/**
 * Key exchanges over curves and groups that are fixed: they take this process at most some 15 ms. In a group exchange the server chooses
 * the prime, and one that is large enough keeps the event loop for minutes. Servers that offer nothing else are refused.
 */
const KEX = [
  "curve25519-sha256",
  "curve25519-sha256@libssh.org",
  "ecdh-sha2-nistp256",
  "ecdh-sha2-nistp384",
  "ecdh-sha2-nistp521",
  "diffie-hellman-group14-sha256",
  "diffie-hellman-group15-sha512",
  "diffie-hellman-group16-sha512",
  "diffie-hellman-group14-sha1",
] as const;

/** Algorithms that are offered to servers. Compression is not: a packet of 32 KiB could become 32 MiB. */
export const ALGORITHMS: Algorithms = { kex: [...KEX], compress: ["none"] };

/** Bytes of a public key on the wire: an RSA key of 8,192 bits, or any curve. */
const HOST_KEY_BYTES_MAX = 1_100;
/** The same of 4,096 bits: with the private half this process makes a signature at each sign-in. */
const USER_KEY_BYTES_MAX = 560;

/** Returns whether a server's key is short enough to be checked with. */
export function isBoundedHostKey(key: Buffer): boolean {
  return key.length <= HOST_KEY_BYTES_MAX;
}

/** Returns whether a private key is longer than 4,096 bits. One that cannot be read is refused by the sign-in. */
export function isLongUserKey(privateKey: string): boolean {
  const key = ssh2.utils.parseKey(privateKey);
  return !(key instanceof Error) && key.getPublicSSH().length > USER_KEY_BYTES_MAX;
}

const HANDSHAKES_AT_ONCE = 4;
/** Servers ask for new keys each hour, or after a gigabyte. */
const HANDSHAKE_EVERY_MS = 2_000;

/** Counts key exchanges: a server may begin a new one whenever it likes, and each costs this process some milliseconds. */
export class HandshakeRate {
  readonly #nowMs: () => number;
  readonly #startedAt: number;
  #handshakes = 0;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
    this.#startedAt = nowMs();
  }

  /** Counts one. @returns whether there are more than a server has reason for. */
  isExceeded(): boolean {
    this.#handshakes += 1;
    return this.#handshakes > HANDSHAKES_AT_ONCE + (this.#nowMs() - this.#startedAt) / HANDSHAKE_EVERY_MS;
  }
}
