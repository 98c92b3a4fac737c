import kafkajs, { type KafkaConfig, type Mechanism, type SASLOptions } from "kafkajs";
import type { KafkaSecurity, SaslLogin } from "./kafkaAccess.ts";
import { createSecureSocketFactory } from "./secureSockets.ts";
import { readSecret } from "./securityFiles.ts";

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

/** kafkajs looks at these members whenever it authenticates, so getters read a rotated file without a restart. */
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
 * Logs in with a bearer token (RFC 7628, section 3.1). The one of kafkajs 2.2.4 looks at no answer, and takes a refused token for an
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
