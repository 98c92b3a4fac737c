import { isIP } from "node:net";
import { connect } from "node:tls";
import type { ISocketFactory } from "kafkajs";
import type { KafkaTlsFiles } from "./kafkaAccess.ts";
import { readTlsFiles } from "./securityFiles.ts";

const KEEP_ALIVE_MS = 60_000;

/**
 * Makes TLS sockets for kafkajs. Each reads its files anew, so that rotated ones need no restart. The broker's certificate must come from a
 * trusted authority and name the host, whatever `NODE_TLS_REJECT_UNAUTHORIZED` says; nothing is sent before.
 */
export function createSecureSocketFactory(files: KafkaTlsFiles): ISocketFactory {
  return ({ host, port, onConnect }) => {
    // SNI takes names alone (RFC 6066); the certificate of an address is compared with `host`.
    const servername = isIP(host) === 0 ? { servername: host } : {};
    const socket = connect({ ...readTlsFiles(files), host, port, ...servername, rejectUnauthorized: true }, onConnect);
    socket.setKeepAlive(true, KEEP_ALIVE_MS);
    // Before kafkajs listens: it keeps of an error its message alone.
    socket.on("error", (error) => {
      const sentence = sentenceOf(error, `${host}:${port}`);
      if (sentence !== undefined) error.message = `${sentence} (${error.message})`;
    });
    return socket;
  };
}

const UNTRUSTED: ReadonlySet<string> = new Set([
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
]);
const OUT_OF_TIME: ReadonlySet<string> = new Set(["CERT_HAS_EXPIRED", "CERT_NOT_YET_VALID"]);

/** Says what is wrong with the connection to `broker` in terms of the variables; undefined for what says it itself. */
function sentenceOf(error: Error & { readonly code?: string }, broker: string): string | undefined {
  const code = error.code ?? "";
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID") return `the certificate of ${broker} is for another host`;
  if (UNTRUSTED.has(code)) return `no authority of KAFKA_TLS_CA_FILE signed the certificate of ${broker}`;
  if (OUT_OF_TIME.has(code)) return `the certificate of ${broker} has expired or is not valid yet`;
  if (/ALERT_(BAD_)?CERTIFICATE|ALERT_UNKNOWN_CA|HANDSHAKE_FAILURE/.test(code)) {
    return `${broker} refuses the client's certificate, see KAFKA_TLS_CERT_FILE`;
  }
  if (code === "ERR_SSL_WRONG_VERSION_NUMBER" || code === "ERR_SSL_PACKET_LENGTH_TOO_LONG") {
    return `${broker} does not speak TLS, see KAFKA_SECURITY_PROTOCOL`;
  }
  return undefined;
}
