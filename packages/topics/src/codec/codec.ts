import { HeadwaterError, type Logger, retryForever } from "@headwater/kernel";
import { unavailable } from "../kafka/unavailable.ts";
import { createRegistryClient, type RegistryClient, toRegistered } from "./registryClient.ts";
import { fingerprintOf, type JsonSchemaDocument, type KnownMembers, knownMembersOf } from "./schemaMembers.ts";

/** Confluent wire format: one zero byte, the schema id as a big-endian int32, the value. */
const MAGIC = 0;

const HEADER_BYTES = 5;

const SCHEMA_MEMBER = '{"schema":"';

const SCHEMA_NAME_BYTES_MAX = 120;

const QUOTE = 0x22;

/** A value from the log: what its schema says it is, or why the message cannot be decoded. */
export type Decoded =
  | { readonly kind: "decoded"; readonly subject: string; readonly value: unknown }
  | { readonly kind: "undecodable"; readonly reason: string };

export interface CodecOptions {
  /** Address of the registry's Confluent interface. */
  readonly registryUrl: string;
  /** JSON Schema (draft 2020-12) by subject: all that this process writes. May be empty for a pure reader. */
  readonly schemas: Readonly<Record<string, JsonSchemaDocument>>;
  /** Bound of one call to the registry; default 5 s. */
  readonly timeoutMs?: number;
  readonly logger: Logger;
  /** Another registry, for tests. */
  readonly registry?: RegistryClient;
}

export interface Codec {
  /**
   * Registers all schemas, again and again while the registry is away. Needed once, before anything is written.
   * @throws HeadwaterError `SCHEMA_REFUSED` when the registry refuses a schema for good; the signal's reason.
   */
  ready(signal?: AbortSignal): Promise<void>;
  isReady(): boolean;
  /** A frame from the texts of its records, each a JSON object. @throws HeadwaterError 503 before `ready`. */
  frame(subject: string, account: string, recordTexts: readonly string[]): Buffer;
  /** Any value of a subject. It was checked where it came in and is not checked again. @throws as `frame`. */
  encode(subject: string, value: unknown): Buffer;
  /** Encodes as `encode` does, for a value that is JSON text already. */
  encodeText(subject: string, text: string): Buffer;
  /**
   * Decodes at once for ids that are known, after one look-up for others. A frame says itself what it is and is believed: an id means
   * something in one registry alone, and one that was lost and made again gives old ids to other subjects.
   * @param topicSubject the one subject of a topic that holds no other; its values need not say what they are.
   * @throws HeadwaterError 503, retriable: `SERVICE_UNAVAILABLE` when an id is not known and the registry is away, `SCHEMA_AHEAD` for
   * a value with members that this process does not know and would drop.
   */
  decode(value: Buffer, topicSubject?: string): Decoded | Promise<Decoded>;
  /**
   * Reads the subject of a frame from its first bytes, without parsing it. Whatever `decode` makes of such a frame, it is of no other subject.
   * @returns undefined for all but frames as this version of the software writes them.
   */
  peekSubject(value: Buffer): string | undefined;
}

const TIMEOUT_MS = 5_000;
/** Time for which an id that the registry did not know stays unknown: a registry may learn it a moment later. */
const UNKNOWN_FOR_MS = 30_000;
const UNKNOWN_IDS_MAX = 1_000;
const RETRY = { minMs: 200, maxMs: 5_000 } as const;
/** `<subject>@<fingerprint>` */
const SCHEMA_NAME = /^([\w.-]{1,100})@[0-9a-f]{12}$/;
/** The registry's answers to a schema that will never do: incompatible, not a schema. */
const REFUSALS: ReadonlySet<unknown> = new Set([409, 422]);

/** The registry's schema ids held in memory: once they are known the registry may be away. */
export function createCodec(options: CodecOptions): Codec {
  return new RegistryCodec(options);
}

class RegistryCodec implements Codec {
  readonly #options: CodecOptions;
  readonly #registry: RegistryClient;
  readonly #idOfSubject = new Map<string, number>();
  /** Subjects of ids, without those whose schema is newer than ours: a registry that is restored may give their ids another meaning. */
  readonly #knownIds = new Map<number, KnownSchema>();
  readonly #unknownIds = new Map<number, { readonly until: number; readonly reason: string }>();
  readonly #subjects: readonly string[];
  readonly #schemaNames: ReadonlyMap<string, string>;
  readonly #subjectsByName: ReadonlyMap<string, string>;
  readonly #members = new Map<string, KnownMembers>();

  constructor(options: CodecOptions) {
    this.#options = options;
    this.#registry = options.registry ?? createRegistryClient(options.registryUrl, options.timeoutMs ?? TIMEOUT_MS);
    this.#subjects = Object.keys(options.schemas);
    this.#schemaNames = new Map(
      Object.entries(options.schemas).map(([subject, schema]) => [subject, schemaNameOf(subject, schema)] as const),
    );
    this.#subjectsByName = new Map([...this.#schemaNames].map(([subject, name]) => [name, subject] as const));
  }

  async ready(signal: AbortSignal = new AbortController().signal): Promise<void> {
    await retryForever(() => this.#registerMissing(), {
      signal,
      ...RETRY,
      onRetry: ({ error, attempt, waitMs }) =>
        this.#options.logger.warn({ err: error, attempt, waitMs }, "schema registry unavailable, retrying"),
    });
  }

  isReady(): boolean {
    return this.#subjects.every((subject) => this.#idOfSubject.has(subject));
  }

  frame(subject: string, account: string, recordTexts: readonly string[]): Buffer {
    return this.#write(subject, frameText(this.#schemaNames.get(subject) ?? subject, account, recordTexts));
  }

  encode(subject: string, value: unknown): Buffer {
    return this.#write(subject, JSON.stringify(value));
  }

  encodeText(subject: string, text: string): Buffer {
    return this.#write(subject, text);
  }

  decode(buffer: Buffer, topicSubject?: string): Decoded | Promise<Decoded> {
    const head = readHead(buffer);
    if (head.kind === "bad") return { kind: "undecodable", reason: head.reason };
    const parsed = parse(buffer);
    if (parsed === undefined) return { kind: "undecodable", reason: `schema id ${head.schemaId}: not JSON` };
    const { value } = parsed;
    const name = schemaNameIn(value);
    const peeked = this.peekSubject(buffer);
    if (peeked !== undefined && peeked !== name?.subject) {
      return { kind: "undecodable", reason: "its schema is named twice" };
    }
    if (name !== undefined) {
      const { subject, text } = name;
      return this.#schemaNames.get(subject) === text
        ? { kind: "decoded", subject, value }
        : this.#readByContent(subject, value);
    }
    const known = this.#knownIds.get(head.schemaId);
    return known === undefined
      ? this.#readAfterLookUp(head.schemaId, value, topicSubject)
      : this.#readById(known, value, topicSubject);
  }

  peekSubject(buffer: Buffer): string | undefined {
    const name = readSchemaName(buffer);
    return name === undefined ? undefined : this.#subjectsByName.get(name);
  }

  #write(subject: string, text: string): Buffer {
    const id = this.#idOfSubject.get(subject);
    if (id === undefined) {
      throw subject in this.#options.schemas
        ? unavailable("The schema registry has not answered yet.", 1)
        : new Error(`no schema was given for the subject ${subject}`);
    }
    return toWire(id, text);
  }

  async #registerMissing(): Promise<void> {
    for (const [subject, schema] of Object.entries(this.#options.schemas)) {
      if (!this.#idOfSubject.has(subject)) {
        const id = await this.#registry.register(subject, schema).catch((error: unknown) => refuse(subject, error));
        this.#knownIds.set(id, { subject, isAhead: false });
        this.#idOfSubject.set(subject, id);
      }
    }
  }

  async #lookUp(schemaId: number): Promise<KnownSchema | { readonly reason: string }> {
    const unknown = this.#unknownIds.get(schemaId);
    if (unknown !== undefined && unknown.until > Date.now()) return unknown;
    const found = await this.#registry.lookUp(schemaId).catch((error: unknown) => {
      throw unavailable("The schema registry is unavailable.", 1, error);
    });
    if (found.kind === "subject") {
      const { subject, schema } = found;
      const known = { subject, isAhead: this.#membersOf(subject)?.isBehind(schema) ?? false };
      if (!known.isAhead) this.#knownIds.set(schemaId, known);
      return known;
    }
    if (this.#unknownIds.size >= UNKNOWN_IDS_MAX) this.#unknownIds.clear();
    this.#unknownIds.set(schemaId, { until: Date.now() + UNKNOWN_FOR_MS, reason: found.reason });
    return found;
  }

  /** Returns undefined for subjects that this process only passes on or counts. */
  #membersOf(subject: string): KnownMembers | undefined {
    const ours = this.#options.schemas[subject];
    if (ours === undefined) return undefined;
    const known = this.#members.get(subject) ?? knownMembersOf(toRegistered(subject, ours));
    this.#members.set(subject, known);
    return known;
  }

  /** Reads values of a version of the software that is not this one, whatever the registry says. */
  #readByContent(subject: string, value: unknown): Decoded {
    if (this.#membersOf(subject)?.wouldDrop(value)) throw ahead(subject);
    return { kind: "decoded", subject, value };
  }

  #readById(known: KnownSchema, value: unknown, topicSubject: string | undefined): Decoded {
    const { subject, isAhead } = known;
    if (topicSubject !== undefined && topicSubject !== subject) return this.#readByContent(topicSubject, value);
    return isAhead ? this.#readByContent(subject, value) : { kind: "decoded", subject, value };
  }

  async #readAfterLookUp(schemaId: number, value: unknown, topicSubject: string | undefined): Promise<Decoded> {
    const found = await this.#lookUp(schemaId);
    if ("subject" in found) return this.#readById(found, value, topicSubject);
    if (topicSubject !== undefined) return this.#readByContent(topicSubject, value);
    return { kind: "undecodable", reason: `schema id ${schemaId}: ${found.reason}` };
  }
}

interface KnownSchema {
  readonly subject: string;
  /** It has members that our schema of the subject does not have. */
  readonly isAhead: boolean;
}

interface SchemaName {
  readonly subject: string;
  readonly text: string;
}

function schemaNameOf(subject: string, schema: JsonSchemaDocument): string {
  return `${subject}@${fingerprintOf(toRegistered(subject, schema))}`;
}

function schemaNameIn(value: unknown): SchemaName | undefined {
  if (typeof value !== "object" || value === null || !("schema" in value)) return undefined;
  if (typeof value.schema !== "string") return undefined;
  const [text, subject] = SCHEMA_NAME.exec(value.schema) ?? [];
  return text === undefined || subject === undefined ? undefined : { subject, text };
}

function parse(value: Buffer): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(textOf(value)) };
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The partition waits: an older process would drop what it does not know. */
function ahead(schema: string): HeadwaterError {
  return new HeadwaterError({
    code: "SCHEMA_AHEAD",
    status: 503,
    publicMessage: `The log holds values of ${schema}, which has members that this version does not know: upgrade this process.`,
    retriable: true,
  });
}

/**
 * Two processes that make the same subject at once, or a registry that was killed while one was made: Apicurio answers 409,
 * or shows a subject without its rule. The next attempt finds it made.
 */
function isWriteConflict(error: unknown): boolean {
  return error instanceof Error && /already exists|!= NONE\)/.test(error.message);
}

function refuse(subject: string, error: unknown): never {
  const status = error instanceof Error ? Reflect.get(error, "status") : undefined;
  const isRefusal = error instanceof Error && error.name === "ConfluentSchemaRegistryCompatibilityError";
  if (!isRefusal && (!REFUSALS.has(status) || isWriteConflict(error))) {
    throw unavailable("The schema registry sent an unexpected response.", 1, error);
  }
  throw new HeadwaterError({
    code: "SCHEMA_REFUSED",
    status: 500,
    publicMessage: `The schema registry rejected the schema of ${subject}: ${error instanceof Error ? error.message : error}`,
    cause: error,
  });
}

type WireHead =
  | { readonly kind: "head"; readonly schemaId: number }
  | { readonly kind: "bad"; readonly reason: string };

/** The value's text in UTF-8 behind its five bytes of header. */
export function toWire(schemaId: number, text: string): Buffer {
  const buffer = Buffer.allocUnsafe(HEADER_BYTES + Buffer.byteLength(text));
  buffer[0] = MAGIC;
  buffer.writeInt32BE(schemaId, 1);
  buffer.write(text, HEADER_BYTES, "utf8");
  return buffer;
}

export function readHead(value: Buffer): WireHead {
  if (value.length <= HEADER_BYTES) {
    return { kind: "bad", reason: `a value of ${value.length} bytes is too short to be ours` };
  }
  if (value[0] !== MAGIC) {
    return { kind: "bad", reason: `the first byte is ${value[0]}, not the 0 of the registry's format` };
  }
  return { kind: "head", schemaId: value.readInt32BE(1) };
}

/** The JSON text of a value in wire format. */
export function textOf(value: Buffer): string {
  return value.toString("utf8", HEADER_BYTES);
}

/** Returns what the member `schema` says in a value that begins with it, as frames do; undefined for other values. */
function readSchemaName(value: Buffer): string | undefined {
  const start = HEADER_BYTES + SCHEMA_MEMBER.length;
  if (value.toString("latin1", HEADER_BYTES, start) !== SCHEMA_MEMBER) return undefined;
  const end = value.subarray(start, start + SCHEMA_NAME_BYTES_MAX).indexOf(QUOTE);
  return end < 0 ? undefined : value.toString("latin1", start, start + end);
}

/**
 * The text of a frame from the texts of its records, each of which was serialised once, by intake. `schema` stays true when the
 * registry is lost: a schema id means something in one registry alone.
 */
export function frameText(schema: string, account: string, recordTexts: readonly string[]): string {
  return `{"schema":${JSON.stringify(schema)},"account":${JSON.stringify(account)},"records":[${recordTexts.join(",")}]}`;
}
