import { writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadConfig } from "@headwater/kernel";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { kafkaEnvironment, kafkaSecurityOf } from "./kafkaEnvironment.ts";

const schema = z.object(kafkaEnvironment);
const read = (env: Record<string, string>) => kafkaSecurityOf(loadConfig(schema, env));
const SECRET = "correct horse battery";
let folder: string;
let password: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "headwater-kafka-"));
  password = join(folder, "password");
  writeFileSync(password, `${SECRET}\n`);
  writeFileSync(join(folder, "empty"), "\n");
});

afterAll(() => rm(folder, { recursive: true }));

const scram = () => ({
  KAFKA_SECURITY_PROTOCOL: "SASL_SSL",
  KAFKA_SASL_MECHANISM: "SCRAM-SHA-512",
  KAFKA_SASL_USERNAME: "ingress",
  KAFKA_SASL_PASSWORD_FILE: password,
});

describe("how a process reaches Kafka", () => {
  it("is plain text when nothing is said, and when that is said", () => {
    expect(read({})).toBeUndefined();
    expect(read({ KAFKA_SECURITY_PROTOCOL: "PLAINTEXT" })).toBeUndefined();
  });

  it("is TLS with the authorities that Node trusts", () => {
    expect(read({ KAFKA_SECURITY_PROTOCOL: "SSL" })).toEqual({ tls: {} });
  });

  it("is a user whose password stays in its file", () => {
    const security = read(scram());
    expect(security?.sasl).toEqual({ mechanism: "SCRAM-SHA-512", username: "ingress", passwordFile: password });
    expect(JSON.stringify(security)).not.toContain(SECRET);
  });

  it("is a bearer token in a file", () => {
    const env = { KAFKA_SECURITY_PROTOCOL: "SASL_SSL", KAFKA_SASL_MECHANISM: "OAUTHBEARER" };
    expect(read({ ...env, KAFKA_SASL_TOKEN_FILE: password })?.sasl).toEqual({
      mechanism: "OAUTHBEARER",
      tokenFile: password,
    });
  });
});

const without = (name: string) => Object.fromEntries(Object.entries(scram()).filter(([key]) => key !== name));
const ssl = { KAFKA_SECURITY_PROTOCOL: "SSL" };

const refused: readonly (readonly [string, () => Record<string, string>, string])[] = [
  ["another protocol", () => ({ KAFKA_SECURITY_PROTOCOL: "SASL_PLAINTEXT" }), "KAFKA_SECURITY_PROTOCOL"],
  ["a protocol in small letters", () => ({ KAFKA_SECURITY_PROTOCOL: "ssl" }), "KAFKA_SECURITY_PROTOCOL"],
  ["another mechanism", () => ({ ...scram(), KAFKA_SASL_MECHANISM: "GSSAPI" }), "KAFKA_SASL_MECHANISM"],
  ["no mechanism", () => without("KAFKA_SASL_MECHANISM"), "KAFKA_SASL_MECHANISM"],
  ["no user", () => without("KAFKA_SASL_USERNAME"), "KAFKA_SASL_USERNAME"],
  ["no password", () => without("KAFKA_SASL_PASSWORD_FILE"), "KAFKA_SASL_PASSWORD_FILE"],
  ["a user without a protocol", () => without("KAFKA_SECURITY_PROTOCOL"), "KAFKA_SASL_MECHANISM"],
  ["an authority without a protocol", () => ({ KAFKA_TLS_CA_FILE: password }), "KAFKA_TLS_CA_FILE"],
  ["a user beside plain TLS", () => ({ ...scram(), ...ssl }), "KAFKA_SASL_MECHANISM"],
  ["a token beside a password", () => ({ ...scram(), KAFKA_SASL_TOKEN_FILE: password }), "KAFKA_SASL_TOKEN_FILE"],
  [
    "a token's absence",
    () => ({ ...ssl, KAFKA_SECURITY_PROTOCOL: "SASL_SSL", KAFKA_SASL_MECHANISM: "OAUTHBEARER" }),
    "KAFKA_SASL_TOKEN_FILE",
  ],
  ["a certificate without its key", () => ({ ...ssl, KAFKA_TLS_CERT_FILE: password }), "KAFKA_TLS_KEY_FILE"],
  ["a key without its certificate", () => ({ ...ssl, KAFKA_TLS_KEY_FILE: password }), "KAFKA_TLS_CERT_FILE"],
  ["an authority that is no certificate", () => ({ ...ssl, KAFKA_TLS_CA_FILE: password }), "KAFKA_TLS_CA_FILE"],
  ["a file that is not there", () => ({ ...ssl, KAFKA_TLS_CA_FILE: join(folder, "none") }), "KAFKA_TLS_CA_FILE"],
  [
    "an empty password",
    () => ({ ...scram(), KAFKA_SASL_PASSWORD_FILE: join(folder, "empty") }),
    "KAFKA_SASL_PASSWORD_FILE",
  ],
];

describe("a configuration that is half or wrong", () => {
  it.each(refused)("is refused with a sentence that names the variable: %s", (_name, env, variable) => {
    const error = expect.objectContaining({ code: "CONFIG_INVALID", message: expect.stringContaining(variable) });
    expect(() => read(env())).toThrow(error);
    expect(() => read(env())).not.toThrow(SECRET);
  });
});
