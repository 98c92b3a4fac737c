import { partitionOf } from "@headwater/contracts";
import { frameSchema, subjectOf } from "@headwater/intake/operations/jsonSchema";
import type { Operation } from "@headwater/intake/operations/operation";
import { operations } from "@headwater/intake/operations/registry";
import { validateItem } from "@headwater/intake/operations/validateItem";
import { createLogger, newRequestId } from "@headwater/kernel";
import { createCodec, createFrameProducer, type FrameProducer, topicNamed } from "@headwater/topics";
import type { Bench } from "../world/services.ts";
import type { World } from "../world/world.ts";
import { itemText, type OperationName } from "./items.ts";

export const INTAKE_TOPIC = "intake.records";
const ITEMS_PER_REQUEST = 100;
/** Requests under way at a time: their records share frames as under load. */
const REQUESTS_AT_ONCE = 16;
const DRAIN_MS = 10_000;

export interface Filling {
  readonly operation: OperationName;
  /** One record about each contact from here on. */
  readonly firstContact: number;
  readonly records: number;
  /** Round, as in `itemText`. */
  readonly round: number;
}

/** Writes records to the intake topic as the ingress would: the same validation, the same frames. */
export async function fillTopic({ services }: Bench, world: World, filling: Filling): Promise<void> {
  const logger = createLogger({ name: "bench", level: "warn" });
  const operation = operations.find(({ name }) => name === filling.operation);
  if (operation === undefined) throw new Error(`no operation ${filling.operation}`);
  const schemas = { [subjectOf(operation)]: frameSchema(operation) };
  const codec = createCodec({ registryUrl: services.schemaRegistryUrl, schemas, logger });
  await codec.ready();
  const brokers = services.kafkaBrokers.split(",");
  const producer = createFrameProducer({ brokers, clientId: "headwater-bench", codec, logger });
  await producer.start();
  let next = 0;
  const sendInTurn = async () => {
    for (; next < filling.records; ) {
      const from = next;
      next += ITEMS_PER_REQUEST;
      await sendRequest(producer, world, operation, { ...filling, from });
    }
  };
  await Promise.all(Array.from({ length: REQUESTS_AT_ONCE }, sendInTurn));
  await producer.drain(DRAIN_MS);
}

async function sendRequest(
  producer: FrameProducer,
  { account }: World,
  operation: Operation,
  { firstContact, records, round, from, operation: name }: Filling & { readonly from: number },
): Promise<void> {
  const nowMs = Date.now();
  const requestId = newRequestId(nowMs);
  const { partitions } = topicNamed(INTAKE_TOPIC);
  const entries = [];
  for (let index = from; index < Math.min(records, from + ITEMS_PER_REQUEST); index++) {
    const item: unknown = JSON.parse(itemText(name, firstContact + index, round));
    const result = validateItem(operation, account, item, { nowMs, scopes: [] });
    if (result.kind !== "accepted")
      throw new Error(`validation refuses what the bench makes: ${JSON.stringify(result)}`);
    for (const { identity, members } of result.records) {
      const text = JSON.stringify({ id: `${requestId}:${index - from}:0`, receivedAt: nowMs, ...members });
      entries.push({ partition: partitionOf(identity, partitions), key: identity, text });
    }
  }
  await producer.append({ topic: INTAKE_TOPIC, subject: subjectOf(operation), account: account.id, entries });
}
