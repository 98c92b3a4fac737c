/** Describes the listeners of a secured broker in tests: TLS with passwords on one port, TLS with client certificates on another. */
export interface ClosedListeners {
  /** Names the host in the brokers' own address, which clients compare with the certificate. */
  readonly host: string;
  /** `SASL_SSL`: SCRAM-SHA-256, SCRAM-SHA-512, PLAIN and unsigned OAUTHBEARER tokens. */
  readonly saslPort: number;
  /** `SSL`, for clients that show a certificate of the authority. */
  readonly tlsPort: number;
  /** PEM: the broker's private key and certificate. */
  readonly keyStoreFile: string;
  /** PEM: the authority that signs clients' certificates. */
  readonly authorityFile: string;
  readonly users: readonly { readonly name: string; readonly password: string }[];
}

const SECURITY = "org.apache.kafka.common.security";
const SCRAM_MECHANISMS = ["SCRAM-SHA-256", "SCRAM-SHA-512"] as const;

/** Returns the part of a broker's properties that closes it; the plain listener stays, for whoever sets it up. */
export function closedProperties(closed: ClosedListeners, plain: string): Record<string, string> {
  const { host, saslPort, tlsPort } = closed;
  const users = closed.users.map(({ name, password }) => `user_${name}="${password}"`).join(" ");
  return {
    listeners: `${plain},SASL_SSL://127.0.0.1:${saslPort},SSL://127.0.0.1:${tlsPort}`,
    "listener.security.protocol.map": "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,SASL_SSL:SASL_SSL,SSL:SSL",
    "ssl.keystore.type": "PEM",
    "ssl.keystore.location": closed.keyStoreFile,
    "ssl.truststore.type": "PEM",
    "ssl.truststore.location": closed.authorityFile,
    "listener.name.ssl.ssl.client.auth": "required",
    "sasl.enabled.mechanisms": [...SCRAM_MECHANISMS, "PLAIN", "OAUTHBEARER"].join(","),
    ...Object.fromEntries(
      SCRAM_MECHANISMS.map((name) => [jaasOf(name), `${SECURITY}.scram.ScramLoginModule required;`] as const),
    ),
    [jaasOf("PLAIN")]: `${SECURITY}.plain.PlainLoginModule required ${users};`,
    [jaasOf("OAUTHBEARER")]:
      `${SECURITY}.oauthbearer.OAuthBearerLoginModule required unsecuredLoginStringClaim_sub="broker";`,
    "authorizer.class.name": "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
    "super.users": "User:ANONYMOUS",
    "advertised.listeners": [plain.split(",")[0], `SASL_SSL://${host}:${saslPort}`, `SSL://${host}:${tlsPort}`].join(
      ",",
    ),
  };
}

/** Returns the arguments of `kafka-storage format` that make the users known to SCRAM. */
export function scramArguments({ users }: ClosedListeners): string[] {
  return users.flatMap(({ name, password }) =>
    SCRAM_MECHANISMS.flatMap((mechanism) => ["--add-scram", `${mechanism}=[name=${name},password=${password}]`]),
  );
}

function jaasOf(mechanism: string): string {
  return `listener.name.sasl_ssl.${mechanism.toLowerCase()}.sasl.jaas.config`;
}
