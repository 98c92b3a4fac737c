import { Kafka, logLevel } from "kafkajs";
import type { Random } from "../harness/random.ts";

export interface PoisonOptions {
  readonly brokers: string;
  readonly registryUrl: string;
  readonly accountId: string;
  readonly random: Random;
}

const TOPICS = [
  "intake.records",
  "intake.bulk",
  "changes.contacts",
  "changes.memberships",
  "changes.orders",
  "changes.carts",
  "changes.supplements",
] as const;
const SUBJECTS = [
  "upsertContact",
  "createContactactivities",
  "upsertOrder",
  "addContactsToList",
  "addProductsToCart",
] as const;
const NESTED = 5_000;

/**
 * Writes messages that nobody can read, or that are not what their schema says, past validation into every topic, once each.
 * @returns how many were written.
 */
export async function writePoison({ brokers, registryUrl, accountId, random }: PoisonOptions): Promise<number> {
  const kafka = new Kafka({ brokers: brokers.split(","), clientId: "poison", logLevel: logLevel.NOTHING });
  const producer = kafka.producer();
  await producer.connect();
  let written = 0;
  for (const topic of TOPICS) {
    const values = await poisonFor(topic, { registryUrl, accountId });
    const messages = values.map((value) => ({ partition: random.int(8), key: accountId, value }));
    await producer.send({ topic, messages });
    written += messages.length;
  }
  await producer.disconnect();
  return written;
}

async function poisonFor(topic: string, { registryUrl, accountId }: Pick<PoisonOptions, "registryUrl" | "accountId">) {
  const subjects = topic.startsWith("intake.") ? SUBJECTS.map((name) => `intake.${name}`) : [topic];
  const ids = await Promise.all(subjects.map((subject) => schemaId(registryUrl, subject)));
  const unreadable = [Buffer.alloc(0), Buffer.from("{}"), Buffer.from([0, 0, 0]), framed(2_000_000_000, "{}"), null];
  const bodies = topic.startsWith("intake.") ? wrongFrames(accountId) : wrongChanges();
  return [...unreadable, ...ids.flatMap((id) => bodies.map((body) => framed(id, body)))];
}

/** Change events of the right schema with anything in them. */
function wrongChanges(): string[] {
  const events = [
    "null",
    "[]",
    "{}",
    `{"account":1}`,
    `{"account":"x","contact":"y"}`,
    `{"account":1,"contact":-1,"fields":7}`,
  ];
  return [
    "not json",
    "null",
    "{}",
    `{"position":0,"changes":7}`,
    ...events.map((event) => `{"position":0,"changes":[${event}]}`),
  ];
}

/** Frames of the right schema with anything in them. */
function wrongFrames(account: string): string[] {
  const head = `{"account":"${account}","records":`;
  const record = (members: string) => `${head}[{"id":"poison:0:0","receivedAt":0${members}}]}`;
  return [
    "not json",
    "null",
    "[]",
    "{}",
    `${head}{}}`,
    `${head}[null]}`,
    `${head}[[]]}`,
    record(""),
    record(`,"contact":null,"event":null,"order":null`),
    record(`,"contact":{"identifiers":{"email":"p@example.com"}},"event":{"name":1,"time":2,"properties":"x"}`),
    record(`,"contact":{"identifiers":{"email":"\\u0000"}},"event":{"name":"a","time":"2026-01-01","properties":{}}`),
    record(`,"contact":{"identifiers":{"email":"p@example.com"}},"deep":${"[".repeat(NESTED)}${"]".repeat(NESTED)}`),
    `{"account":"${"f".repeat(24)}","records":[{"id":"poison:0:0","receivedAt":0}]}`,
  ];
}

function framed(id: number, body: string): Buffer {
  const head = Buffer.alloc(5);
  head.writeInt32BE(id, 1);
  return Buffer.concat([head, Buffer.from(body)]);
}

async function schemaId(registryUrl: string, subject: string): Promise<number> {
  const answer = await fetch(`${registryUrl}/subjects/${subject}/versions/latest`);
  const latest: unknown = await answer.json();
  if (typeof latest === "object" && latest !== null && "id" in latest && typeof latest.id === "number")
    return latest.id;
  throw new Error(`the registry knows no schema of ${subject}: ${JSON.stringify(latest)}`);
}
