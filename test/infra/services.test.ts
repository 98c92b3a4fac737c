import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile, stat } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { createInterface, type Interface } from "node:readline";
import { SchemaRegistry, SchemaType } from "@kafkajs/confluent-schema-registry";
import { Kafka, logLevel } from "kafkajs";
import pg from "pg";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type ServiceName, testHomeFolder } from "../../infra/src/index.ts";

const PORTS_ABOVE = 300;
const home = join(testHomeFolder, "ground");

/** Services of our own: these are killed, and the other suites share theirs. */
const env = { ...process.env, KAFKA_BROKERS: "", SCHEMA_REGISTRY_URL: "", POSTGRES_URL: "", CLICKHOUSE_URL: "" };

/** Starts them, says where they are, and kills the one whose name comes in, until it is killed itself. */
const SCRIPT = `
  import { createInterface } from "node:readline";
  import { startTestServices } from "@headwater/infra";
  const { services, kafkaBrokers, schemaRegistryUrl, postgresUrl, clickhouseUrl } =
    await startTestServices({ name: "ground", portsAbove: ${PORTS_ABOVE} });
  console.log(JSON.stringify({ kafkaBrokers, schemaRegistryUrl, postgresUrl, clickhouseUrl }));
  for await (const name of createInterface({ input: process.stdin })) {
    const before = services[name].pid();
    services[name].kill("SIGKILL");
    await services[name].ready();
    console.log(JSON.stringify({ before, after: services[name].pid() }));
  }`;

let parent: ChildProcess;
let lines: Interface;
let running: Record<"kafkaBrokers" | "schemaRegistryUrl" | "postgresUrl" | "clickhouseUrl", string>;

beforeAll(async () => {
  const child = spawn(process.execPath, ["--input-type=module", "-e", SCRIPT], {
    env,
    stdio: ["pipe", "pipe", "inherit"],
  });
  parent = child;
  lines = createInterface({ input: child.stdout });
  running = await nextAnswer();
});

afterAll(() => parent.kill("SIGKILL"));

async function nextAnswer() {
  const [line] = await once(lines, "line");
  return JSON.parse(String(line));
}

/** Returns the process id of the new one. */
async function killAndAwait(name: ServiceName): Promise<number> {
  parent.stdin?.write(`${name}\n`);
  const { before, after } = await nextAnswer();
  expect(before).toBeTypeOf("number");
  expect(after).toBeTypeOf("number");
  expect(after).not.toBe(before);
  return after;
}

function openPorts(): number[] {
  return [running.kafkaBrokers, running.schemaRegistryUrl, running.postgresUrl, running.clickhouseUrl].map(portOf);
}

test("Kafka keeps what it acknowledged over a kill -9, and makes no topic by accident", async () => {
  const kafka = new Kafka({ brokers: [running.kafkaBrokers], logLevel: logLevel.NOTHING });
  const admin = kafka.admin();
  await admin.connect();
  await admin.createTopics({ topics: [{ topic: "ground", numPartitions: 1 }], waitForLeaders: true });
  const producer = kafka.producer({ idempotent: true, allowAutoTopicCreation: true });
  await producer.connect();
  await producer.send({ topic: "ground", acks: -1, messages: [{ value: "kept" }] });
  await expect(producer.send({ topic: "not-made", messages: [{ value: "x" }] })).rejects.toThrow();
  await producer.disconnect();
  await killAndAwait("kafka");
  const [offsets] = await admin.fetchTopicOffsets("ground");
  expect(offsets?.high).toBe("1");
  expect(await admin.listTopics()).not.toContain("not-made");
  await admin.disconnect();
});

test("the registry keeps a schema that it acknowledged a moment before a kill -9", async () => {
  const registry = () => new SchemaRegistry({ host: running.schemaRegistryUrl });
  const schema = JSON.stringify({ type: "object", properties: { name: { type: "string" } } });
  const { id } = await registry().register({ type: SchemaType.JSON, schema }, { subject: "ground" });
  await killAndAwait("registry");
  const value = await registry().encode(id, { name: "Ann" });
  expect(await registry().decode(value)).toEqual({ name: "Ann" });
});

test.runIf(process.platform === "linux").each(["kafka", "registry"] as const)(
  "%s starts from the classes that were kept of an earlier start",
  async (name) => {
    const pid = await killAndAwait(name);
    expect(await readFile(`/proc/${pid}/maps`, "utf8")).toMatch(/classes-[0-9a-f]+\.jsa$/m);
  },
);

test("Postgres keeps what it committed over a kill -9, and runs with its durability on", async () => {
  const query = async (text: string) => {
    const client = new pg.Client({ connectionString: running.postgresUrl });
    await client.connect();
    const { rows } = await client.query(text);
    await client.end();
    return rows;
  };
  await query("CREATE TABLE ground AS SELECT 1 AS kept");
  await killAndAwait("postgres");
  expect(await query("SELECT kept FROM ground")).toEqual([{ kept: 1 }]);
  const settings = "current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS commit";
  expect(await query(`SELECT ${settings}`)).toEqual([{ fsync: "on", commit: "on" }]);
});

test("ClickHouse keeps what it inserted over a kill -9, and knows a deduplication token again", async () => {
  const ask = async (text: string) => {
    const response = await askClickHouse(text);
    expect(response.status).toBe(200);
    return response.text();
  };
  const insert = (value: number) =>
    ask(`INSERT INTO ground SETTINGS async_insert = 0, insert_deduplication_token = 'one' VALUES (${value})`);
  await ask(
    "CREATE TABLE ground (a Int64) ENGINE = MergeTree ORDER BY a SETTINGS non_replicated_deduplication_window = 100",
  );
  await insert(1);
  await killAndAwait("clickhouse");
  await insert(2);
  expect(await ask("SELECT a FROM ground")).toBe("1\n");
});

test("ClickHouse answers nobody without its password, and its user reads nothing but tables", async () => {
  const wrong = `Basic ${Buffer.from("headwater:wrong").toString("base64")}`;
  const nobody = `Basic ${Buffer.from("default:").toString("base64")}`;
  for (const headers of [{}, { authorization: wrong }, { authorization: nobody }, { "X-ClickHouse-User": "default" }]) {
    const response = await askClickHouse("SELECT 1", headers);
    expect([headers, response.status]).toEqual([headers, 401]);
  }
  for (const text of [
    "SELECT * FROM file('/etc/passwd', 'LineAsString')",
    "INSERT INTO FUNCTION file('/tmp/out.csv', 'CSV', 'a Int8') VALUES (1)",
    "SELECT * FROM url('http://127.0.0.1:1/', 'LineAsString')",
    "SELECT * FROM s3('http://127.0.0.1:1/bucket/key', 'LineAsString')",
    "SELECT * FROM remote('127.0.0.1', system.one)",
    "SELECT * FROM postgresql('127.0.0.1:1', 'a', 'b', 'c', 'd')",
    "CREATE TABLE outward (a String) ENGINE = File(LineAsString, '/etc/passwd')",
    "CREATE DATABASE outward ENGINE = Filesystem('/etc')",
    "CREATE USER other",
    "SYSTEM SHUTDOWN",
  ]) {
    const response = await askClickHouse(text);
    expect([text, await response.text()]).toEqual([text, expect.stringContaining("ACCESS_DENIED")]);
  }
  expect(await (await askClickHouse("SELECT currentUser()")).text()).toBe("headwater\n");
});

test("what they keep can be read by its owner alone", async () => {
  const open: string[] = [];
  const paths = await readdir(home, { recursive: true });
  expect(paths.length).toBeGreaterThan(1_000);
  for (const path of ["", ...paths]) {
    // A store may drop a file between the list and the check of it.
    const found = await stat(join(home, path)).catch(() => undefined);
    if (found !== undefined && (found.mode & 0o077) !== 0) open.push(path);
  }
  expect(open).toEqual([]);
});

test("Kafka writes its log", async () => {
  expect(await readFile(join(home, "logs", "kafka.log"), "utf8")).toContain("Kafka Server started");
});

test("embedded services listen on this machine alone", async () => {
  const { stdout } = spawn("sh", ["-c", "ss -ltnH 2>/dev/null || netstat -an"], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  const open: string[] = [];
  for await (const line of createInterface({ input: stdout })) open.push(line);
  const [kafka = 0, ...others] = openPorts();
  const controller = kafka + 1;
  for (const port of [kafka, controller, ...others]) {
    const lines = open.filter((line) => line.includes(`:${port} `));
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.filter((line) => !line.includes(`127.0.0.1`))).toEqual([]);
  }
});

test("embedded services die with the process that started them when it is killed -9", async () => {
  const ports = openPorts();
  for (const port of ports) expect(await isOpen(port)).toBe(true);
  parent.kill("SIGKILL");
  for (const port of ports) await vi.waitUntil(async () => !(await isOpen(port)), { timeout: 20_000 });
});

function portOf(address: string): number {
  return Number(address.match(/:(\d+)(\/|$)/)?.[1]);
}

/** Queries ClickHouse as the user in the address, unless `headers` say otherwise. */
function askClickHouse(text: string, headers?: Readonly<Record<string, string>>): Promise<Response> {
  const { username, password, origin } = new URL(running.clickhouseUrl);
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
  return fetch(`${origin}/?database=headwater`, { method: "POST", body: text, headers: headers ?? { authorization } });
}

async function isOpen(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  try {
    await once(socket, "connect");
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
