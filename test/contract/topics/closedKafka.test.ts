import { mkdirSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { createServer } from "node:tls";
import { connect, createMemoryTerminal, runCommand } from "@headwater/cli";
import { createLogger, loadConfig } from "@headwater/kernel";
import { createTestAuthority, type TestAuthority } from "@headwater/testing";
import {
  accessDeniedIn,
  catalogue,
  createFrameProducer,
  createLogReader,
  createStreamConsumer,
  createTopicAdmin,
  type KafkaAccess,
  kafkaEnvironment,
  kafkaSecurityOf,
  reasonOf,
} from "@headwater/topics";
import kafkajs, { Kafka, logLevel } from "kafkajs";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { z } from "zod";
import { cacheFolder, type RunningServices, startServices, testHomeFolder } from "../../../infra/src/index.ts";

/** Ports above those of the suites' other services. */
const portBaseOf = (env: NodeJS.ProcessEnv) => Number(env.HEADWATER_PORT_BASE || 8420) + 10_860;
const portBase = portBaseOf(process.env);
const [SASL_PORT, TLS_PORT] = [portBase + 40, portBase + 41];
const home = join(testHomeFolder, "closedKafka");
const fileOf = (name: string) => join(home, "clients", name);
const PASSWORD = "correct-horse-battery-staple";
const TOPIC = "closed.records";
/** A topic that only the broker's own user may use. */
const UNREADABLE = "closed.unreadable";
const START_MS = 180_000;

let broker: RunningServices;
let authority: TestAuthority;
const lines: string[] = [];
const destination = { write: (line: string) => lines.push(line) };
const logger = createLogger({ name: "closed", level: "debug", destination });

beforeAll(async () => {
  await rm(home, { recursive: true, force: true });
  mkdirSync(join(home, "clients"), { recursive: true });
  authority = await createTestAuthority();
  const server = await authority.issue("localhost");
  write("authority.pem", authority.cert);
  write("foreign.pem", (await createTestAuthority("another authority")).cert);
  write("broker.pem", server.key + server.cert);
  write("password", `${PASSWORD}\n`);
  broker = await startServices({
    isShortLived: true,
    home,
    cache: cacheFolder(process.env),
    portBase,
    only: ["kafka"],
    env: {},
    kafkaClosed: {
      host: "localhost",
      saslPort: SASL_PORT,
      tlsPort: TLS_PORT,
      keyStoreFile: fileOf("broker.pem"),
      authorityFile: fileOf("authority.pem"),
      users: ["writer", "limited"].map((name) => ({ name, password: PASSWORD })),
    },
  });
  await allowEverybody();
}, START_MS);

afterAll(() => broker?.stop(), START_MS);

function write(name: string, text: string): void {
  writeFileSync(fileOf(name), text);
}

/** Makes the topic and gives rights by the plain listener, whose user the broker trusts. */
async function allowEverybody(): Promise<void> {
  const admin = new Kafka({ brokers: [broker.kafkaBrokers], logLevel: logLevel.NOTHING }).admin();
  await admin.connect();
  const topics = [TOPIC, UNREADABLE].map((topic) => ({ topic, numPartitions: 1 }));
  await admin.createTopics({ topics, waitForLeaders: true });
  const everybody = { principal: "User:*", operation: AclOperationTypes.ALL };
  await admin.createAcls({
    acl: [
      rightOn(AclResourceTypes.TOPIC, TOPIC, everybody),
      rightOn(AclResourceTypes.GROUP, "*", everybody),
      rightOn(AclResourceTypes.CLUSTER, "kafka-cluster", everybody),
      rightOn(AclResourceTypes.CLUSTER, "kafka-cluster", {
        principal: "User:limited",
        operation: AclOperationTypes.ALL,
        permissionType: AclPermissionTypes.DENY,
      }),
    ],
  });
  await admin.disconnect();
}

const { AclResourceTypes, AclOperationTypes, AclPermissionTypes, ResourcePatternTypes } = kafkajs;

function rightOn(
  resourceType: number,
  resourceName: string,
  right: { readonly principal: string; readonly operation: number; readonly permissionType?: number },
) {
  const allowed = {
    host: "*",
    resourcePatternType: ResourcePatternTypes.LITERAL,
    permissionType: AclPermissionTypes.ALLOW,
  };
  return { resourceType, resourceName, ...allowed, ...right };
}

/** Gives the user who may nothing a right on a topic. */
async function allowLimited(topic: string, operation: number): Promise<void> {
  const admin = new Kafka({ brokers: [broker.kafkaBrokers], logLevel: logLevel.NOTHING }).admin();
  await admin.connect();
  await admin.createAcls({ acl: [rightOn(AclResourceTypes.TOPIC, topic, { principal: "User:limited", operation })] });
  await admin.disconnect();
}

const codec = {
  isReady: () => true,
  frame: (_subject: string, _account: string, texts: readonly string[]) => Buffer.from(texts.join(",")),
};

function access(env: Record<string, string>, address = `localhost:${SASL_PORT}`): KafkaAccess {
  return { brokers: [address], security: kafkaSecurityOf(loadConfig(z.object(kafkaEnvironment), env)) };
}

const tls = () => ({ KAFKA_SECURITY_PROTOCOL: "SSL", KAFKA_TLS_CA_FILE: fileOf("authority.pem") });
const sasl = (mechanism = "SCRAM-SHA-512", passwordFile = fileOf("password")) => ({
  ...tls(),
  KAFKA_SECURITY_PROTOCOL: "SASL_SSL",
  KAFKA_SASL_MECHANISM: mechanism,
  KAFKA_SASL_USERNAME: "writer",
  KAFKA_SASL_PASSWORD_FILE: passwordFile,
});

async function end(kafka: KafkaAccess): Promise<number> {
  const admin = createTopicAdmin({ ...kafka, clientId: "closed", logger, timeoutMs: 20_000 });
  try {
    const [partition] = await admin.watermarks(TOPIC);
    return partition?.high ?? -1;
  } finally {
    await admin.close();
  }
}

async function send(kafka: KafkaAccess, text: string, topic = TOPIC): Promise<void> {
  const producer = createFrameProducer({ ...kafka, clientId: "closed", codec, logger, requestTimeoutMs: 20_000 });
  await producer.start();
  try {
    const entries = [{ partition: 0, key: "k", text }];
    await producer.append({ topic, subject: "s", account: "a", entries });
  } finally {
    await producer.drain(1_000);
  }
}

async function reasonFor(kafka: KafkaAccess): Promise<string | undefined> {
  return end(kafka).then(() => "connected", reasonOf);
}

const mechanisms = ["SCRAM-SHA-512", "SCRAM-SHA-256", "PLAIN"] as const;

test.each(mechanisms)("a user of %s writes and reads over TLS", async (mechanism) => {
  const kafka = access(sasl(mechanism));
  const before = await end(kafka);
  await send(kafka, mechanism);
  expect(await end(kafka)).toBe(before + 1);
  const reader = createLogReader({ ...kafka, clientId: "closed", logger });
  const [frame] = await reader.frames({ topic: TOPIC, partition: 0, offset: before });
  await reader.close();
  expect(frame?.value.toString()).toBe(mechanism);
});

test("a group reads over TLS", async () => {
  const kafka = access(sasl());
  await send(kafka, "for the group");
  const last = (await end(kafka)) - 1;
  const read: number[] = [];
  const consumer = createStreamConsumer({
    ...kafka,
    clientId: "closed",
    groupId: "closed.group",
    topics: [TOPIC],
    logger,
    onFatal: (error) => expect.unreachable(String(error)),
    handler: {
      start: async () => ({ fromOffset: last }),
      batch: async ({ frames }) => {
        read.push(...frames.map(({ offset }) => offset));
        return { kind: "next", offset: (frames.at(-1)?.offset ?? last) + 1 };
      },
    },
  });
  await consumer.start();
  await expect.poll(() => read, { timeout: 60_000 }).toContain(last);
  await consumer.stop();
});

test("a bearer token is accepted, and a later one is taken from the same file", async () => {
  const token = (expiresInS: number) => {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const nowS = Math.floor(Date.now() / 1_000);
    return `${part({ alg: "none" })}.${part({ sub: "writer", iat: nowS - 60, exp: nowS + expiresInS })}.`;
  };
  write("token", token(-30));
  const kafka = access({
    ...tls(),
    KAFKA_SECURITY_PROTOCOL: "SASL_SSL",
    KAFKA_SASL_MECHANISM: "OAUTHBEARER",
    KAFKA_SASL_TOKEN_FILE: fileOf("token"),
  });
  expect(await reasonFor(kafka)).toContain("OAUTHBEARER");
  write("token", `${token(600)}\n`);
  await send(kafka, "by token");
});

test("a wrong password ends in a plain error; the file's next content is taken without a restart", async () => {
  write("rotating", "last year's password");
  const kafka = access(sasl("SCRAM-SHA-512", fileOf("rotating")));
  const before = await end(access(sasl()));
  const admin = createTopicAdmin({ ...kafka, clientId: "closed", logger, timeoutMs: 20_000 });
  const error: unknown = await admin.watermarks(TOPIC).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: "SERVICE_UNAVAILABLE", message: "Kafka is unavailable." });
  expect(reasonOf(error)).toMatch(/SCRAM SHA512 authentication failed: .*invalid credentials/);
  await expect(send(kafka, "never")).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
  expect(await end(access(sasl()))).toBe(before);
  write("rotating", PASSWORD);
  expect(await admin.watermarks(TOPIC)).toEqual([expect.objectContaining({ high: before })]);
  await admin.close();
});

test("a password file that went away is named by its variable", async () => {
  write("leaving", PASSWORD);
  const kafka = access(sasl("PLAIN", fileOf("leaving")));
  await rm(fileOf("leaving"));
  await expect(reasonFor(kafka)).resolves.toContain("KAFKA_SASL_PASSWORD_FILE names a file that cannot be read");
});

test("a certificate of another authority, or for another host, is refused, and the right one taken later", async () => {
  write("rotatingAuthority.pem", await foreignAuthority());
  const env = { ...sasl(), KAFKA_TLS_CA_FILE: fileOf("rotatingAuthority.pem") };
  expect(await reasonFor(access(env))).toMatch(
    /^no authority of KAFKA_TLS_CA_FILE signed the certificate of localhost:/,
  );
  write("rotatingAuthority.pem", authority.cert);
  expect(await reasonFor(access(env))).toBe("connected");
  expect(await reasonFor(access(env, `127.0.0.1:${SASL_PORT}`))).toMatch(
    /^the certificate of 127\.0\.0\.1:.* another host/,
  );
});

test("nothing is sent to a server whose certificate is not trusted", async () => {
  const { key, cert } = await (await createTestAuthority("an impostor's")).issue("localhost");
  let bytes = 0;
  const impostor = createServer({ key, cert }, (socket) => {
    socket.on("data", (data) => {
      bytes += data.length;
    });
  }).listen(0, "127.0.0.1");
  impostor.on("tlsClientError", () => undefined);
  await new Promise((resolve) => impostor.once("listening", resolve));
  const bound = impostor.address();
  const address = `localhost:${typeof bound === "object" ? bound?.port : 0}`;
  vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0");
  try {
    expect(await reasonFor(access(sasl(), address))).toContain("no authority of KAFKA_TLS_CA_FILE signed");
  } finally {
    vi.unstubAllEnvs();
    impostor.close();
  }
  expect(bytes).toBe(0);
});

test("a client certificate is accepted, and a rotated one is taken without a restart", async () => {
  const foreign = await (await createTestAuthority("another")).issue("writer");
  write("client.pem", foreign.cert);
  write("client.key", foreign.key);
  const env = { ...tls(), KAFKA_TLS_CERT_FILE: fileOf("client.pem"), KAFKA_TLS_KEY_FILE: fileOf("client.key") };
  const kafka = access(env, `localhost:${TLS_PORT}`);
  expect(await reasonFor(kafka)).not.toBe("connected");
  const own = await authority.issue("writer");
  write("client.pem", own.cert);
  write("client.key", own.key);
  await send(kafka, "by certificate");
  expect(await reasonFor(access(tls(), `localhost:${TLS_PORT}`))).not.toBe("connected");
});

test("a plain listener that is taken for a closed one says so", async () => {
  const kafka = access(sasl(), broker.kafkaBrokers);
  expect(await reasonFor(kafka)).toMatch(/KAFKA_SECURITY_PROTOCOL|before secure TLS connection/);
});

test("a missing right is named with its resource and the command that grants it, one after the other", async () => {
  const [orders] = catalogue;
  const wanted = { ...(orders ?? expect.unreachable()), name: "rights.orders", partitions: 1 };
  const limited = { ...sasl(), KAFKA_SASL_USERNAME: "limited" };
  const admin = createTopicAdmin({ ...access(limited), clientId: "closed", logger, timeoutMs: 20_000 });
  const denied = (call: () => Promise<unknown>) =>
    call().then(
      () => "allowed",
      (error: unknown) => accessDeniedIn(error)?.message ?? String(error),
    );
  const steps = [
    { call: () => admin.plan([wanted]), operation: "Describe" },
    { call: () => admin.watermarks(wanted.name), operation: "Describe" },
    { call: () => admin.apply([wanted]), operation: "Create" },
    { call: () => admin.plan([wanted]), operation: "DescribeConfigs" },
    { call: () => admin.apply([{ ...wanted, retentionMs: 1_000 }]), operation: "AlterConfigs" },
  ] as const;
  const operations = {
    Describe: AclOperationTypes.DESCRIBE,
    Create: AclOperationTypes.CREATE,
    DescribeConfigs: AclOperationTypes.DESCRIBE_CONFIGS,
    AlterConfigs: AclOperationTypes.ALTER_CONFIGS,
  };
  for (const { call, operation } of steps) {
    await expect
      .poll(() => denied(call))
      .toBe(
        `Kafka does not allow ${operation} on the topic rights.orders. Grant it: kafka-acls.sh --bootstrap-server <broker> ` +
          `--add --allow-principal User:<user> --operation ${operation} --topic rights.orders`,
      );
    if (call !== steps[0].call) await allowLimited(wanted.name, operations[operation]);
    if (operation === "Create") await expect.poll(() => denied(() => admin.apply([wanted]))).not.toContain("Create");
  }
  await expect.poll(() => denied(() => admin.apply([{ ...wanted, retentionMs: 1_000 }]))).toBe("allowed");
  await admin.close();
});

test("a producer and a consumer without their rights log which they are", async () => {
  const limited = access({ ...sasl(), KAFKA_SASL_USERNAME: "limited" });
  await expect(send(limited, "never", UNREADABLE)).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
  await expect.poll(() => lines.join("")).toContain(`Kafka does not allow Write on the topic ${UNREADABLE}`);
  const handler = { start: async () => ({ fromOffset: 0 }), batch: async () => ({ kind: "wait", ms: 1 }) as const };
  const onFatal = (error: unknown) => expect.unreachable(String(error));
  const groupId = "closed.group";
  const options = { ...limited, clientId: "closed", groupId, topics: [UNREADABLE], logger, onFatal, handler };
  const consumer = createStreamConsumer(options);
  await consumer.start();
  await expect.poll(() => lines.join("")).toContain(`Kafka does not allow Read on the topic ${UNREADABLE}`);
  await consumer.stop();
});

test("topics plan without a right says so in one sentence, and exits 2", async () => {
  const { terminal, out, said } = createMemoryTerminal({ input: "" });
  const env = {
    ...sasl(),
    HEADWATER_HOME: home,
    KAFKA_BROKERS: `localhost:${SASL_PORT}`,
    KAFKA_SASL_USERNAME: "limited",
  };
  const code = await runCommand({ args: ["topics", "plan"], env, terminal, connect });
  expect([code, out()]).toEqual([2, ""]);
  expect(said()).toMatch(
    /^headwater: Kafka does not allow Describe on the topic intake\.records\. Grant it: kafka-acls\.sh .*\n?$/,
  );
});

test("no line of the log holds a password", () => {
  expect(lines.length).toBeGreaterThan(0);
  expect(lines.join("")).not.toMatch(new RegExp(`${PASSWORD}|last year's`));
});

async function foreignAuthority(): Promise<string> {
  return (await createTestAuthority("a foreign authority")).cert;
}
