import { z } from "zod";
import type { AnswerDescription, JsonSchema, Route } from "../routes/route.ts";
import { errorAnswer, errorAnswersOf, errorSchema } from "./errorAnswers.ts";
import { grammarOf } from "./publishedAs.ts";

const LOCAL = "#/$defs/";

const SHARED = "#/components/schemas/";

export interface DocumentInfo {
  readonly title: string;
  readonly version: string;
  readonly description?: string;
}

/** An OpenAPI 3.1 document of the routes: its schemas are JSON Schema 2020-12, made from the shapes that are checked. */
export function buildOpenApi(info: DocumentInfo, routes: readonly Route[]): JsonSchema {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operationOf(route) };
  }
  const { document, definitions } = hoistDefinitions(paths);
  return {
    openapi: "3.1.0",
    info: { ...info },
    servers: [{ url: "/" }],
    paths: document,
    components: {
      schemas: { Error: errorSchema, ...definitions },
      securitySchemes: {
        basic: { type: "http", scheme: "basic", description: "The API key as the user name, with a blank password." },
        apiKey: { type: "apiKey", in: "header", name: "x-api-key" },
      },
    },
  };
}

function operationOf(route: Route): JsonSchema {
  const { operationId, summary, description, tags } = route;
  const { params, query } = route.shapes;
  const headers = parametersOf(route.shapes.headers, "header");
  const parameters = [...parametersOf(params, "path"), ...parametersOf(query, "query"), ...headers];
  const headerNames = headers.map(({ name }) => name);
  return {
    operationId,
    summary,
    ...(description === undefined ? {} : { description }),
    ...(tags === undefined ? {} : { tags }),
    security: securityOf(route),
    ...(route.dryRun === undefined ? {} : { "x-dry-run": route.dryRun.class }),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...requestBodyOf(route),
    responses: { ...responsesOf(route.answers), ...errorAnswersOf(route, headerNames) },
  };
}

/** The scopes stand next to the scheme, as 3.1 allows: the key needs all of them. */
function securityOf({ auth, optionalAuth, scope, alsoScope }: Route): JsonSchema[] {
  if (auth !== undefined) return [{ [auth]: [scope, alsoScope].filter((one) => one !== undefined) }];
  return optionalAuth === undefined ? [] : [{}, { [optionalAuth]: [] }];
}

function requestBodyOf({ bodyRules, stream, shapes, requestExample }: Route): JsonSchema {
  if (stream !== undefined) {
    return {
      requestBody: { required: true, content: { "application/octet-stream": { schema: toSchema(shapes.body ?? {}) } } },
    };
  }
  if (bodyRules === undefined) return {};
  const media = {
    ...(shapes.body === undefined ? {} : { schema: toSchema(shapes.body) }),
    ...(requestExample === undefined ? {} : { example: requestExample }),
  };
  const [main = "application/json", ...others] = bodyRules.mediaTypes;
  const otherMedia = others.map((mediaType) => [mediaType, { schema: { type: "string" } }]);
  const required = bodyRules.isOptional !== true;
  return { requestBody: { required, content: { [main]: media, ...Object.fromEntries(otherMedia) } } };
}

function responsesOf(answers: Readonly<Record<number, AnswerDescription>>): JsonSchema {
  return Object.fromEntries(
    Object.entries(answers).map(([status, answer]) => [status, responseOf(Number(status), answer)]),
  );
}

const FIRST_ERROR = 400;

function responseOf(status: number, { description, schema, example, mediaType }: AnswerDescription): JsonSchema {
  if (schema === undefined && example === undefined) {
    return status < FIRST_ERROR ? { description } : errorAnswer(description);
  }
  const media = {
    ...(schema === undefined ? {} : { schema: toSchema(schema, "output") }),
    ...(example === undefined ? {} : { example }),
  };
  return { description, content: { [mediaType ?? "application/json"]: media } };
}

interface Parameter extends JsonSchema {
  readonly name: string;
}

function parametersOf(shape: z.ZodType | undefined, position: "path" | "query" | "header"): Parameter[] {
  if (shape === undefined) return [];
  const { properties, required } = toSchema(shape);
  if (typeof properties !== "object" || properties === null) return [];
  const needed = new Set<unknown>(Array.isArray(required) ? required : []);
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: position,
    required: position === "path" || needed.has(name),
    schema,
  }));
}

type Direction = "input" | "output";
/** Schemas by their shape, whose conversion takes most of a server's start: servers of one process share them. */
const converted = { input: new WeakMap<z.ZodType, JsonSchema>(), output: new WeakMap<z.ZodType, JsonSchema>() };

function toSchema(shape: z.ZodType | JsonSchema, io: Direction = "input"): JsonSchema {
  if (!(shape instanceof z.ZodType)) return shape;
  const known = converted[io].get(shape);
  if (known !== undefined) return known;
  const { $schema: _dialect, ...schema } = z.toJSONSchema(shape, {
    io,
    unrepresentable: "any",
    override({ zodSchema, jsonSchema }) {
      const grammar = grammarOf(zodSchema);
      if (grammar === undefined) return;
      for (const name of Object.keys(jsonSchema)) Reflect.deleteProperty(jsonSchema, name);
      Object.assign(jsonSchema, toSchema(grammar, io));
    },
  });
  converted[io].set(shape, schema);
  return schema;
}

interface Hoisted {
  readonly document: unknown;
  /** Schemas by name. */
  readonly definitions: Readonly<Record<string, unknown>>;
}

/**
 * Moves the `$defs` of every schema to where an OpenAPI document keeps shared ones: a reference counts from the root of the document,
 * not of the schema. Names are those of the shapes (`id` of their meta), so that equal names are one definition.
 */
export function hoistDefinitions(value: unknown): Hoisted {
  const definitions: Record<string, unknown> = {};
  const visit = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(visit);
    if (typeof node !== "object" || node === null) return node;
    const entries = Object.entries(node).flatMap(([name, member]): (readonly [string, unknown])[] => {
      if (name === "$ref" && typeof member === "string") return [[name, member.replace(LOCAL, SHARED)]];
      if (name !== "$defs") return [[name, visit(member)]];
      for (const [key, schema] of Object.entries(Object(member))) definitions[key] = visit(schema);
      return [];
    });
    return Object.fromEntries(entries);
  };
  return { document: visit(value), definitions };
}
