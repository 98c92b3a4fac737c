import { HeadwaterError } from "@headwater/kernel";
import { z } from "zod";
import type { KafkaAccess, KafkaSecurity, KafkaTlsFiles, SaslLogin } from "./kafkaAccess.ts";
import { expectFiles } from "./securityFiles.ts";

/** Lists the variables that say how a process reaches Kafka, for the configuration of each process. */
export const kafkaEnvironment = {
  /** Default: `PLAINTEXT`. */
  KAFKA_SECURITY_PROTOCOL: z.enum(["PLAINTEXT", "SSL", "SASL_SSL"]).optional(),
  KAFKA_SASL_MECHANISM: z.enum(["SCRAM-SHA-256", "SCRAM-SHA-512", "PLAIN", "OAUTHBEARER"]).optional(),
  KAFKA_SASL_USERNAME: z.string().optional(),
  KAFKA_SASL_PASSWORD_FILE: z.string().optional(),
  /** The bearer token of `OAUTHBEARER`; whoever fetches tokens writes it again before it expires. */
  KAFKA_SASL_TOKEN_FILE: z.string().optional(),
  KAFKA_TLS_CA_FILE: z.string().optional(),
  KAFKA_TLS_CERT_FILE: z.string().optional(),
  KAFKA_TLS_KEY_FILE: z.string().optional(),
  /** `kafkajs` goes back to the library's own encoder of produce requests, which costs more processor time. Default: `headwater`. */
  KAFKA_PRODUCE_ENCODER: z.enum(["headwater", "kafkajs"]).optional(),
} as const;

const shape = z.object(kafkaEnvironment);
export type KafkaEnvironment = z.output<typeof shape>;
type Variable = keyof KafkaEnvironment;

const TLS = ["KAFKA_TLS_CA_FILE", "KAFKA_TLS_CERT_FILE", "KAFKA_TLS_KEY_FILE"] as const;
const PASSWORD = ["KAFKA_SASL_USERNAME", "KAFKA_SASL_PASSWORD_FILE"] as const;
const TOKEN = ["KAFKA_SASL_TOKEN_FILE"] as const;

/**
 * Turns a process' environment into what its clients of Kafka need.
 * @throws HeadwaterError `CONFIG_INVALID`, as `kafkaSecurityOf`.
 */
export function kafkaAccessOf(env: KafkaEnvironment & { readonly KAFKA_BROKERS: readonly string[] }): KafkaAccess {
  return { brokers: env.KAFKA_BROKERS, security: kafkaSecurityOf(env), produceEncoder: env.KAFKA_PRODUCE_ENCODER };
}

/**
 * Turns the environment into what clients of Kafka need; undefined for plain text.
 * @throws HeadwaterError `CONFIG_INVALID` with one sentence that names the variable: a half configuration, one that would silently
 * send in plain text what was meant to be closed, or a file that cannot be used.
 */
export function kafkaSecurityOf(env: KafkaEnvironment): KafkaSecurity | undefined {
  const refusal = misplaced(env) ?? missing(env);
  if (refusal !== undefined) throw invalid(refusal);
  if (protocolOf(env) === "PLAINTEXT") return undefined;
  const sasl = loginOf(env);
  const security = { tls: tlsFilesOf(env), ...(sasl !== undefined && { sasl }) };
  try {
    expectFiles(security);
  } catch (cause) {
    throw invalid(cause instanceof Error ? cause.message : String(cause), cause);
  }
  return security;
}

function protocolOf(env: KafkaEnvironment) {
  return env.KAFKA_SECURITY_PROTOCOL ?? "PLAINTEXT";
}

/** Finds a variable that would have no effect, and so belongs to another protocol or mechanism than was set. */
function misplaced(env: KafkaEnvironment): string | undefined {
  const protocol = protocolOf(env);
  const unused = (names: readonly Variable[], because: string) => {
    const name = names.find((one) => env[one] !== undefined);
    return name === undefined ? undefined : `${name} is set, but ${because}.`;
  };
  if (protocol !== "SASL_SSL") {
    const sasl = ["KAFKA_SASL_MECHANISM", ...PASSWORD, ...TOKEN] as const;
    const names = protocol === "PLAINTEXT" ? [...sasl, ...TLS] : sasl;
    return unused(names, `KAFKA_SECURITY_PROTOCOL is ${env.KAFKA_SECURITY_PROTOCOL ?? "not set (PLAINTEXT)"}`);
  }
  if (env.KAFKA_SASL_MECHANISM === undefined) return undefined;
  const foreign = env.KAFKA_SASL_MECHANISM === "OAUTHBEARER" ? PASSWORD : TOKEN;
  return unused(foreign, `KAFKA_SASL_MECHANISM is ${env.KAFKA_SASL_MECHANISM}`);
}

function missing(env: KafkaEnvironment): string | undefined {
  const { KAFKA_SASL_MECHANISM: mechanism, KAFKA_TLS_CERT_FILE: certFile, KAFKA_TLS_KEY_FILE: keyFile } = env;
  if (certFile !== undefined && keyFile === undefined) return needs("KAFKA_TLS_CERT_FILE", "KAFKA_TLS_KEY_FILE");
  if (keyFile !== undefined && certFile === undefined) return needs("KAFKA_TLS_KEY_FILE", "KAFKA_TLS_CERT_FILE");
  if (protocolOf(env) !== "SASL_SSL") return undefined;
  if (mechanism === undefined) return needs("KAFKA_SECURITY_PROTOCOL=SASL_SSL", "KAFKA_SASL_MECHANISM");
  const name = (mechanism === "OAUTHBEARER" ? TOKEN : PASSWORD).find((one) => env[one] === undefined);
  return name === undefined ? undefined : needs(`KAFKA_SASL_MECHANISM=${mechanism}`, name);
}

function needs(setting: string, name: Variable): string {
  return `${name} is not set, and ${setting} needs it.`;
}

function tlsFilesOf(env: KafkaEnvironment): KafkaTlsFiles {
  const { KAFKA_TLS_CA_FILE: caFile, KAFKA_TLS_CERT_FILE: certFile, KAFKA_TLS_KEY_FILE: keyFile } = env;
  return {
    ...(caFile !== undefined && { caFile }),
    ...(certFile !== undefined && keyFile !== undefined && { client: { certFile, keyFile } }),
  };
}

function loginOf(env: KafkaEnvironment): SaslLogin | undefined {
  const { KAFKA_SASL_MECHANISM: mechanism, KAFKA_SASL_TOKEN_FILE: tokenFile } = env;
  const { KAFKA_SASL_USERNAME: username, KAFKA_SASL_PASSWORD_FILE: passwordFile } = env;
  if (mechanism === "OAUTHBEARER") return tokenFile === undefined ? undefined : { mechanism, tokenFile };
  if (mechanism === undefined || username === undefined || passwordFile === undefined) return undefined;
  return { mechanism, username, passwordFile };
}

function invalid(publicMessage: string, cause?: unknown): HeadwaterError {
  const reason = cause === undefined ? {} : { cause };
  return new HeadwaterError({ code: "CONFIG_INVALID", status: 500, publicMessage, ...reason });
}
