/** Names the brokers of a cluster and how a client proves itself to them. */
export interface KafkaAccess {
  /** `host:port` of at least one broker. */
  readonly brokers: readonly string[];
  /** Absent: plain text, for a network that nobody else reaches. */
  readonly security?: KafkaSecurity | undefined;
  /** Encoder of produce requests: ours by default, which writes each request once, or kafkajs' own. The bytes are the same. */
  readonly produceEncoder?: "headwater" | "kafkajs" | undefined;
}

/** Says how connections are encrypted and authenticated. Files are named, never held: each connection reads them again. */
export interface KafkaSecurity {
  readonly tls: KafkaTlsFiles;
  readonly sasl?: SaslLogin;
}

export interface KafkaTlsFiles {
  /** PEM of the authorities that sign brokers' certificates. Absent: those that Node trusts. */
  readonly caFile?: string;
  /** PEM of the client's certificate with its chain, and of its private key. */
  readonly client?: { readonly certFile: string; readonly keyFile: string };
}

export type SaslLogin =
  | {
      readonly mechanism: "PLAIN" | "SCRAM-SHA-256" | "SCRAM-SHA-512";
      readonly username: string;
      readonly passwordFile: string;
    }
  | { readonly mechanism: "OAUTHBEARER"; readonly tokenFile: string };
