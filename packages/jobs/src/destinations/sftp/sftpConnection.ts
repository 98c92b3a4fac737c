import type { Duplex } from "node:stream";
import type { SftpStorage } from "@headwater/contracts";
import { HeadwaterError } from "@headwater/kernel";
import type { SFTPWrapper } from "ssh2";
import ssh2, { type Algorithms } from "ssh2";
import SftpClient from "ssh2-sftp-client";
import { SFTP_PORT_DEFAULT } from "../sandbox/storageAddress.ts";
import type { StoragePorts } from "../sandbox/storageProtocol.ts";
import { connectionFailure, nameOf, storageAway, storageRefused } from "../storageFailure.ts";
import { fingerprintOf, type HostKeys, readHostKey } from "./hostKeys.ts";

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
const ALGORITHMS: Algorithms = { kex: [...KEX], compress: ["none"] };

/** Bytes of a public key on the wire: an RSA key of 8,192 bits, or any curve. */
const HOST_KEY_BYTES_MAX = 1_100;

/** The same of 4,096 bits: with the private half this process makes a signature at each sign-in. */
const USER_KEY_BYTES_MAX = 560;

const HANDSHAKES_AT_ONCE = 4;

/** Servers ask for new keys each hour, or after a gigabyte. */
const HANDSHAKE_EVERY_MS = 2_000;

const SIGN_IN_TIMEOUT_MS = 20_000;
/** A server that shows no sign of life three times in a row is away. */
const KEEP_ALIVE_MS = 10_000;
const KEEP_ALIVES_MAX = 3;

/** The library writes these to the console otherwise; whoever waits hears of it from the socket and the call. */
const SILENT = { error: () => undefined, end: () => undefined, close: () => undefined };

export interface SftpConnection {
  readonly client: SftpClient;
  /** The protocol itself. */
  readonly sftp: SFTPWrapper;
  /** Runs a call and throws what is wrong in our words; also when the connection breaks off or is given up meanwhile. */
  run<Answer>(call: () => Promise<Answer>): Promise<Answer>;
  /** Closes the socket at once. */
  close(): void;
}

export type SftpPorts = Pick<StoragePorts, "outbound" | "hostKeys">;

/** Connects and signs in. @throws HeadwaterError `STORAGE_CONNECTION_ERROR`. */
export async function connectSftp(
  storage: SftpStorage,
  { outbound, hostKeys }: SftpPorts,
  signal: AbortSignal,
): Promise<SftpConnection> {
  const { server, port = SFTP_PORT_DEFAULT, username, password, privateKey } = storage;
  if (privateKey !== undefined && isLongUserKey(privateKey)) throw storageRefused("userKey");
  const sock = await outbound.connect({ host: server, port }, signal).catch((error: unknown) => {
    throw connectionFailure(error);
  });
  const client = new SftpClient("headwater", SILENT);
  const connection = guardConnection(client, sock, signal);
  const host = verifyHost(storage, { server, port }, hostKeys);
  try {
    const sftp = await connection.run(() =>
      client.connect({
        sock,
        username,
        ...(password !== undefined && { password }),
        ...(privateKey !== undefined && { privateKey }),
        hostVerifier: host.verify,
        algorithms: ALGORITHMS,
        readyTimeout: SIGN_IN_TIMEOUT_MS,
        keepaliveInterval: KEEP_ALIVE_MS,
        keepaliveCountMax: KEEP_ALIVES_MAX,
        retries: 0,
      }),
    );
    return { ...connection, sftp };
  } catch (error) {
    connection.close();
    throw host.failure() ?? error;
  }
}

function guardConnection(client: SftpClient, socket: Duplex, signal: AbortSignal): Omit<SftpConnection, "sftp"> {
  const { promise: lost, reject } = Promise.withResolvers<never>();
  // It may be lost while nobody waits for an answer; the next call fails with it.
  void Promise.allSettled([lost]);
  const onAbort = () => {
    reject(signal.reason);
    socket.destroy();
  };
  socket.once("close", () => {
    signal.removeEventListener("abort", onAbort);
    reject(storageAway("connection closed"));
  });
  client.on("error", (error) => reject(sftpFailure(error)));
  const rate = new HandshakeRate(() => performance.now());
  client.on("handshake", () => {
    if (!rate.isExceeded()) return;
    reject(storageRefused("request", "key exchanges"));
    socket.destroy();
  });
  signal.addEventListener("abort", onAbort, { once: true });
  return {
    client,
    async run(call) {
      try {
        return await Promise.race([lost, call()]);
      } catch (error) {
        signal.throwIfAborted();
        throw sftpFailure(error);
      }
    },
    close: () => socket.destroy(),
  };
}

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

/** Compares the server's key with the one that was named, else with the first one that the account has seen of it. */
function verifyHost({ hostKey }: SftpStorage, server: { server: string; port: number }, hostKeys: HostKeys) {
  let failure: unknown;
  const isExpected = async (key: Buffer): Promise<boolean> => {
    if (!isBoundedHostKey(key)) throw storageRefused("longHostKey");
    const fingerprint = fingerprintOf(key);
    if (hostKey === undefined) return (await hostKeys.pin(server, fingerprint)) === fingerprint;
    if (readHostKey(hostKey) !== fingerprint) return false;
    await hostKeys.replace(server, fingerprint);
    return true;
  };
  return {
    failure: () => failure,
    verify(key: Buffer, answer: (isGood: boolean) => void): void {
      isExpected(key).then(
        (isGood) => {
          if (!isGood) failure = storageRefused("hostKey");
          answer(isGood);
        },
        (error: unknown) => {
          failure = error;
          answer(false);
        },
      );
    },
  };
}

const NOT_THERE = new Set(["2", "ENOENT", "ERR_BAD_PATH", "ENOTDIR"]);
const FORBIDDEN = new Set(["3", "EACCES", "EPERM"]);

function sftpFailure(error: unknown): HeadwaterError {
  if (error instanceof HeadwaterError) return error;
  const text = error instanceof Error ? error.message : "";
  const code = nameOf(error);
  if (/authentication methods failed|parse privateKey|no passphrase|invalid username/i.test(text)) {
    return storageRefused("signIn");
  }
  if (NOT_THERE.has(code) || /no such file/i.test(text)) return storageRefused("notThere", code);
  if (FORBIDDEN.has(code) || /permission denied/i.test(text)) return storageRefused("forbidden", code);
  if (/no matching|protocol error/i.test(text)) return storageRefused("request", "handshake");
  return connectionFailure(error);
}

/** Returns whether a server's key is short enough to be checked with. */
export function isBoundedHostKey(key: Buffer): boolean {
  return key.length <= HOST_KEY_BYTES_MAX;
}

/** Returns whether a private key is longer than 4,096 bits. One that cannot be read is refused by the sign-in. */
export function isLongUserKey(privateKey: string): boolean {
  const key = ssh2.utils.parseKey(privateKey);
  return !(key instanceof Error) && key.getPublicSSH().length > USER_KEY_BYTES_MAX;
}
