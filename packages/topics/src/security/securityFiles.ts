import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { createSecureContext, type SecureContextOptions } from "node:tls";
import type { KafkaSecurity, KafkaTlsFiles, SaslLogin } from "./kafkaAccess.ts";

/** Refuses TLS 1.0 and 1.1, which are broken (RFC 8996), whatever Node's command line allows. */
const MIN_VERSION = "TLSv1.2";

/**
 * Reads the files of a TLS connection. They are small and connections are rare, so this reads in place: kafkajs makes sockets synchronously.
 * @throws Error that names the variable, when a file cannot be read or does not hold what it should.
 */
export function readTlsFiles({ caFile, client }: KafkaTlsFiles): SecureContextOptions {
  const options: SecureContextOptions = { minVersion: MIN_VERSION };
  if (caFile !== undefined) options.ca = readAuthorities(caFile);
  if (client !== undefined) {
    options.cert = readNamed("KAFKA_TLS_CERT_FILE", client.certFile);
    options.key = readNamed("KAFKA_TLS_KEY_FILE", client.keyFile);
    expectPair(options.cert, options.key);
  }
  return options;
}

/** Reads a password or token, without the newline that editors put at its end. @throws Error that names the variable. */
export function readSecret(variable: "KAFKA_SASL_PASSWORD_FILE" | "KAFKA_SASL_TOKEN_FILE", file: string): string {
  const secret = readNamed(variable, file).replace(/\r?\n$/, "");
  if (secret === "") throw new Error(`${variable} names an empty file.`);
  return secret;
}

export function readLogin(login: SaslLogin): string {
  return login.mechanism === "OAUTHBEARER"
    ? readSecret("KAFKA_SASL_TOKEN_FILE", login.tokenFile)
    : readSecret("KAFKA_SASL_PASSWORD_FILE", login.passwordFile);
}

/** Reads every file once, to find at the start what a connection would find later. @throws Error that names the variable. */
export function expectFiles({ tls, sasl }: KafkaSecurity): void {
  readTlsFiles(tls);
  if (sasl !== undefined) readLogin(sasl);
}

function readNamed(variable: string, file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (cause) {
    throw new Error(`${variable} names a file that cannot be read: ${messageOf(cause)}.`);
  }
}

/** Node skips what is no certificate without a word, and would then trust nobody. */
function readAuthorities(file: string): string {
  const authorities = readNamed("KAFKA_TLS_CA_FILE", file);
  check("KAFKA_TLS_CA_FILE does not hold certificates as PEM", () => new X509Certificate(authorities));
  return authorities;
}

function expectPair(cert: string, key: string): void {
  const certificate = check("KAFKA_TLS_CERT_FILE does not hold a certificate as PEM", () => new X509Certificate(cert));
  const privateKey = check("KAFKA_TLS_KEY_FILE does not hold a private key as PEM", () => createPrivateKey(key));
  if (!certificate.checkPrivateKey(privateKey)) {
    throw new Error("KAFKA_TLS_KEY_FILE does not hold the private key of the certificate in KAFKA_TLS_CERT_FILE.");
  }
  check("KAFKA_TLS_CERT_FILE cannot be used", () => createSecureContext({ cert, key, minVersion: MIN_VERSION }));
}

function check<Result>(sentence: string, read: () => Result): Result {
  try {
    return read();
  } catch (cause) {
    throw new Error(`${sentence}: ${messageOf(cause)}.`);
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
