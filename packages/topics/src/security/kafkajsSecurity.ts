import { isIP } from "node:net";
import { connect } from "node:tls";
import kafkajs, { type ISocketFactory, type KafkaConfig, type Mechanism, type SASLOptions } from "kafkajs";
import type { KafkaSecurity, KafkaTlsFiles, SaslLogin } from "./kafkaAccess.ts";
import { readSecret, readTlsFiles } from "./securityFiles.ts";

const KEEP_ALIVE_MS = 60_000;

const UNTRUSTED: ReadonlySet<string> = new Set([
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
]);

const OUT_OF_TIME: ReadonlySet<string> = new Set(["CERT_HAS_EXPIRED", "CERT_NOT_YET_VALID"]);

/** Returns the options that close a client of kafkajs; none for plain text. */
export function kafkajsSecurity(
  security: KafkaSecurity | undefined,
): Pick<KafkaConfig, "ssl" | "sasl" | "socketFactory"> {
  if (security === undefined) return {};
  const { tls, sasl } = security;
  return {
    ssl: true,
    socketFactory: createSecureSocketFactory(tls),
    ...(sasl === undefined ? {} : { sasl: toSasl(sasl) }),
  };
}

/** kafkajs checks these members whenever it authenticates, so getters read a rotated file without a restart. */
function toSasl(login: SaslLogin): SASLOptions | Mechanism {
  switch (login.mechanism) {
    case "OAUTHBEARER":
      return bearer(login.tokenFile);
    case "PLAIN":
      return withMechanism(userOf(login), "plain");
    case "SCRAM-SHA-256":
      return withMechanism(userOf(login), "scram-sha-256");
    case "SCRAM-SHA-512":
      return withMechanism(userOf(login), "scram-sha-512");
  }
}

function userOf({ username, passwordFile }: { readonly username: string; readonly passwordFile: string }) {
  return {
    username,
    get password() {
      return readSecret("KAFKA_SASL_PASSWORD_FILE", passwordFile);
    },
  };
}

/** Adds to the object itself: a copy would hold the password of this moment. */
function withMechanism<User extends object, Name extends string>(user: User, mechanism: Name) {
  return Object.assign(user, { mechanism });
}

/**
 * Logs in with a bearer token (RFC 7628, section 3.1). The one of kafkajs 2.2.4 checks no answer, and takes a refused token for an
 * accepted one: an answer that is not empty is the server's reason.
 */
function bearer(tokenFile: string): Mechanism {
  return {
    mechanism: "OAUTHBEARER",
    authenticationProvider: ({ saslAuthenticate }) => ({
      async authenticate() {
        const token = readSecret("KAFKA_SASL_TOKEN_FILE", tokenFile);
        const refusal = await saslAuthenticate({
          request: { encode: () => withLength(`n,,\u0001auth=Bearer ${token}\u0001\u0001`) },
          response: { decode: (answer) => answer.subarray(LENGTH_BYTES), parse: (text) => text.toString() },
        });
        if (refusal) throw new kafkajs.KafkaJSNonRetriableError(`SASL OAUTHBEARER authentication failed: ${refusal}`);
      },
    }),
  };
}

const LENGTH_BYTES = 4;

function withLength(text: string): Buffer {
  const bytes = Buffer.from(text);
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

/**
 * Makes TLS sockets for kafkajs. Each reads its files again, so that rotated ones need no restart. The broker's certificate must come from a
 * trusted authority and name the host, whatever `NODE_TLS_REJECT_UNAUTHORIZED` says; nothing is sent before.
 */
function createSecureSocketFactory(files: KafkaTlsFiles): ISocketFactory {
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
