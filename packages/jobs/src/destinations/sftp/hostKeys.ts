import { createHash } from "node:crypto";
import { withoutTrailing } from "@headwater/kernel";
import type { Session } from "@headwater/postgres/connection/session";

/** Server of SFTP as an account names it. */
export interface SftpServer {
  readonly server: string;
  readonly port: number;
}

/** Keeps for one account which key each server showed at first. */
export interface HostKeys {
  /** Keeps the fingerprint unless one is kept already. @returns the kept one. */
  pin(server: SftpServer, fingerprint: string): Promise<string>;
  /** Replaces the kept fingerprint by one that the account named. */
  replace(server: SftpServer, fingerprint: string): Promise<void>;
}

const pinStatement = {
  name: "sftp_host_keys_pin",
  text: `INSERT INTO sftp_host_keys (account, server, port, fingerprint) VALUES ($1, $2, $3, $4)
    ON CONFLICT (account, server, port) DO UPDATE SET fingerprint = sftp_host_keys.fingerprint RETURNING fingerprint`,
};
const replaceStatement = {
  name: "sftp_host_keys_replace",
  text: `INSERT INTO sftp_host_keys AS k (account, server, port, fingerprint) VALUES ($1, $2, $3, $4)
    ON CONFLICT (account, server, port) DO UPDATE SET fingerprint = EXCLUDED.fingerprint
    WHERE k.fingerprint <> EXCLUDED.fingerprint`,
};

/** @param account its number. */
export function createHostKeys(session: Session, account: number): HostKeys {
  return {
    async pin({ server, port }, fingerprint) {
      const values = [account, server, port, fingerprint];
      const [row] = await session.query<{ fingerprint: string }>(pinStatement, values);
      if (row === undefined) throw new Error("an insert with RETURNING answers its row");
      return row.fingerprint;
    },
    async replace({ server, port }, fingerprint) {
      await session.execute(replaceStatement, [account, server, port, fingerprint]);
    },
  };
}

/** Returns the fingerprint of a host key as OpenSSH prints it: `SHA256:` and base64 without padding. */
export function fingerprintOf(key: Buffer): string {
  return `SHA256:${withoutTrailing(createHash("sha256").update(key).digest("base64"), "=")}`;
}

/**
 * Returns the fingerprint that a written host key stands for: `SHA256:…`, a line of `known_hosts` or of a public key
 * (`ssh-ed25519 AAAA…`), or the base64 alone. Undefined for any other text.
 */
export function readHostKey(text: string): string | undefined {
  const written = text.trim();
  if (/^SHA256:[A-Za-z0-9+/]{43}=?$/.test(written)) return written.replace(/=$/, "");
  const key = written.split(/\s+/).find((word) => /^AAAA[A-Za-z0-9+/]{16,}=*$/.test(word));
  return key === undefined ? undefined : fingerprintOf(Buffer.from(key, "base64"));
}
