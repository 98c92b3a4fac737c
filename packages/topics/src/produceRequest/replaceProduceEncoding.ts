import { createRequire } from "node:module";
import { encodeProduce, type ProduceRequest } from "./encodeProduce.ts";

/** Body of a request for kafkajs, which copies `buffer` and checks `buf` to know that it may. */
interface EncodedBody {
  readonly buf: Buffer;
  readonly buffer: Buffer;
}

interface Request {
  readonly request: { encode(): Promise<EncodedBody> };
}

type CreateRequest = (input: unknown) => Request;

interface ProduceDefinition {
  protocol: (of: { readonly version: number }) => CreateRequest;
}

/** Members of a request as kafkajs' producer gives them; the producer's id is a Long, a number or a text. */
interface RequestInput extends Omit<ProduceRequest, "producerId"> {
  readonly producerId: unknown;
}

const MODULE = "kafkajs/src/protocol/requests/produce";
/** Versions whose body is laid out as `encodeProduce` writes it. */
const VERSION_MIN = 3;
const VERSION_MAX = 7;

/**
 * Replaces kafkajs' encoder of produce requests by one that writes each request once, once per process: nested encoders that
 * zero-fill and copy every byte, and a checksum in plain JavaScript, took most of a record's time there. A request of another kind
 * than ours (compressed, of a transaction, with timestamps) is still encoded by kafkajs.
 * @throws Error when kafkajs is no longer built as this expects; its version is pinned.
 */
export function replaceProduceEncoding(): void {
  const definition = produceDefinition();
  const original = definition.protocol;
  if (original.name === "protocolWrittenOnce") return;
  definition.protocol = function protocolWrittenOnce({ version }) {
    const create = original({ version });
    if (version < VERSION_MIN || version > VERSION_MAX) return create;
    return (provided) => {
      const theirs = create(provided);
      if (!isPlain(provided)) return theirs;
      const encode = async () => bodyOf(provided);
      return { ...theirs, request: { ...theirs.request, encode } };
    };
  };
}

function bodyOf(received: RequestInput): EncodedBody {
  const buffer = encodeProduce({ ...received, producerId: BigInt(String(received.producerId)) }, Date.now());
  return { buf: buffer, buffer };
}

/** Recognizes requests of an idempotent producer without compression, transactions and timestamps. */
function isPlain(given: unknown): given is RequestInput {
  if (typeof given !== "object" || given === null || !("topicData" in given)) return false;
  const { topicData } = given;
  if (Reflect.get(given, "compression") || Reflect.get(given, "transactionalId")) return false;
  if (Reflect.get(given, "producerId") === undefined || Reflect.get(given, "producerEpoch") === undefined) return false;
  return Array.isArray(topicData) && topicData.every(({ partitions }) => partitions.every(isWithoutTimestamps));
}

function isWithoutTimestamps({ messages }: { readonly messages: readonly object[] }): boolean {
  return messages.every((message) => Reflect.get(message, "timestamp") === undefined);
}

function produceDefinition(): ProduceDefinition {
  const definition: unknown = createRequire(import.meta.url)(MODULE);
  if (!isProduceDefinition(definition)) {
    throw new Error("kafkajs has another produce request than 2.2.4: look again at replaceProduceEncoding");
  }
  return definition;
}

function isProduceDefinition(value: unknown): value is ProduceDefinition {
  return typeof value === "object" && value !== null && "protocol" in value && typeof value.protocol === "function";
}
