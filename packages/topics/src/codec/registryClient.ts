import { COMPATIBILITY, SchemaRegistry, SchemaType } from "@kafkajs/confluent-schema-registry";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { createRegistryApi, registerUncompared } from "./registryApi.ts";
import type { JsonSchemaDocument } from "./schemaMembers.ts";

/** Result of looking up a schema id. */
export type LookedUp =
  | { readonly kind: "subject"; readonly subject: string; readonly schema: JsonSchemaDocument }
  | { readonly kind: "unknown"; readonly reason: string };

/**
 * The registry's own library, with the one thing it needs from us: an AJV that knows draft 2020-12 and formats (its
 * default refuses what zod writes), and a bound on every call.
 */
export interface RegistryClient {
  /** Registers a schema, BACKWARD compatible to those before it. @returns its id. @throws whatever the registry answered. */
  register(subject: string, schema: JsonSchemaDocument): Promise<number>;
  /** @throws when the registry is away. */
  lookUp(schemaId: number): Promise<LookedUp>;
}

/** Apicurio 3.0.9 reads earlier versions as draft 4 and answers so where they say, for one, `exclusiveMinimum: 0`. */
const CANNOT_COMPARE = 500;

export function createRegistryClient(registryUrl: string, timeoutMs: number): RegistryClient {
  const library = createSchemaRegistry(registryUrl, timeoutMs);
  return {
    async register(subject, schema) {
      const wanted = toRegistered(subject, schema);
      const document = { type: SchemaType.JSON, schema: JSON.stringify(wanted) } as const;
      const register = () => library.register(document, { subject, compatibility: COMPATIBILITY.BACKWARD });
      const { id } = await register().catch(async (error: unknown) => {
        if (memberOf(error, "status") === CANNOT_COMPARE) {
          return registerUncompared(createRegistryApi(registryUrl, subject, timeoutMs), wanted);
        }
        if (!hasNoRule(error)) throw error;
        await createRegistryApi(registryUrl, subject, timeoutMs).setCompatibility(COMPATIBILITY.BACKWARD);
        return register();
      });
      return id;
    },
    async lookUp(schemaId) {
      try {
        // The library keeps what an id meant for ever, and a registry may be restored.
        return subjectOf(await createSchemaRegistry(registryUrl, timeoutMs).getSchema(schemaId));
      } catch (error) {
        return toUnknown(error);
      }
    },
  };
}

/** The subject is there and its rule is not: a registration was broken off, or is under way in another process. */
function hasNoRule(error: unknown): boolean {
  return (
    error instanceof Error &&
    error.name === "ConfluentSchemaRegistryCompatibilityError" &&
    /!= NONE\)/.test(error.message)
  );
}

/** The library as it must be made to read and check what we write; contract tests decode with it. */
export function createSchemaRegistry(registryUrl: string, timeoutMs: number): SchemaRegistry {
  const ajvInstance = new Ajv2020({ strict: false, logger: false, allErrors: false });
  addFormats.default(ajvInstance);
  return new SchemaRegistry(
    { host: registryUrl, retry: { retries: 0 }, middlewares: [boundedBy(timeoutMs)] },
    { [SchemaType.JSON]: { ajvInstance } },
  );
}

/**
 * The title carries the subject, so that a reader that meets an id it did not register learns what it is. The dialect is
 * left out: Apicurio takes the first version of a schema that names 2020-12, but answers 500 to every later one.
 */
export function toRegistered(subject: string, schema: JsonSchemaDocument): JsonSchemaDocument {
  const { $schema: _dialect, ...rest } = schema;
  return { ...rest, title: subject };
}

type Middleware = NonNullable<ConstructorParameters<typeof SchemaRegistry>[0]["middlewares"]>[number];

function boundedBy(timeoutMs: number): Middleware {
  return () => ({
    async prepareRequest(next) {
      return (await next()).enhance({ timeout: timeoutMs });
    },
  });
}

/** The library gives the compiled schema only; AJV keeps the document on its function. */
function subjectOf(schema: unknown): LookedUp {
  const document = memberOf(memberOf(schema, "validate"), "schema");
  const title = memberOf(document, "title");
  return typeof title === "string" && isDocument(document)
    ? { kind: "subject", subject: title, schema: document }
    : { kind: "unknown", reason: "its schema belongs to no known subject" };
}

function isDocument(value: unknown): value is JsonSchemaDocument {
  return typeof value === "object" && value !== null;
}

function toUnknown(error: unknown): LookedUp {
  if (memberOf(error, "status") === 404) {
    return { kind: "unknown", reason: "the registry does not know its schema" };
  }
  if (memberOf(error, "name") === "ConfluentSchemaRegistryArgumentError") {
    return { kind: "unknown", reason: "its schema is not a readable JSON Schema" };
  }
  throw error;
}

function memberOf(value: unknown, name: string): unknown {
  const isHolder = (typeof value === "object" && value !== null) || typeof value === "function";
  return isHolder ? Reflect.get(value, name) : undefined;
}
