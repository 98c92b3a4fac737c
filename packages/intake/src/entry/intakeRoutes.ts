import { defineRawRoute, type JsonSchema, type Route } from "@headwater/http";
import { z } from "zod";
import { toJsonSchema } from "../operations/jsonSchema.ts";
import type { Operation } from "../operations/operation.ts";
import { compileValidation } from "../operations/validateItem.ts";
import { batchQuery, singleQuery } from "./callOptions.ts";
import { BATCH_PARSE_ERROR, handleIntake, type IntakeRoute, NDJSON, PARSE_ERROR } from "./handleIntake.ts";
import { answersOf } from "./intakeAnswers.ts";
import { limits } from "./limits.ts";
import type { IntakePorts } from "./ports.ts";

const JSON_TYPE = "application/json";
const SCOPE = "intake";
export const INTAKE_RATE_CLASS = "intake";

/** `POST /api/<operation>` and its `/batch` twin, made from the operation's entry alone. */
export function intakeRoutes(operation: Operation, ports: IntakePorts): Route[] {
  compileValidation(operation);
  return [single(operation, ports), batch(operation, ports)];
}

function single(operation: Operation, ports: IntakePorts): Route {
  const route = intakeRoute(operation, false);
  return defineRawRoute({
    ...common(operation, route),
    operationId: operation.name,
    summary: operation.summary,
    query: singleQuery,
    bodyRules: { bytesMax: limits.singleBytes, mediaTypes: [JSON_TYPE], ...PARSE_ERROR },
    bodySchema: bodySchemaOf(operation),
    requestExample: operation.sample,
    handler: (call, caller) => handleIntake(ports, route, call, caller),
  });
}

function batch(operation: Operation, ports: IntakePorts): Route {
  const route = intakeRoute(operation, true);
  return defineRawRoute({
    ...common(operation, route),
    operationId: `${operation.name}Batch`,
    summary: `${operation.summary} Up to ${operation.batchItemsMax} items per request, each validated on its own.`,
    query: batchQuery,
    bodyRules: { bytesMax: limits.batchBytes, mediaTypes: [JSON_TYPE, NDJSON], ...BATCH_PARSE_ERROR },
    bodySchema: batchSchemaOf(operation),
    requestExample: { items: [operation.sample] },
    handler: (call, caller) => handleIntake(ports, route, call, caller),
  });
}

function common(operation: Operation, { name, isBatch }: IntakeRoute) {
  return {
    method: "POST",
    path: name.slice("POST ".length),
    tags: [operation.name],
    answers: answersOf(isBatch),
    auth: "apiKey",
    scope: SCOPE,
    rateClass: INTAKE_RATE_CLASS,
    headers: keyHeaders,
  } as const;
}

function intakeRoute(operation: Operation, isBatch: boolean): IntakeRoute {
  const name = `POST /api/${operation.name}${isBatch ? "/batch" : ""}`;
  return { operation, isBatch, name, decimalMembers: new Set(operation.decimalMembers) };
}

/** Header of calls that a key of the account makes. */
export const keyHeaders = z.object({
  "Idempotency-Key": z
    .string()
    .max(255)
    .optional()
    .meta({ description: "A retry with the same key gets the first response." }),
});

/** The shape as senders may fill it: a member that it does not name is ignored, with a warning. */
function bodySchemaOf(operation: Operation): JsonSchema {
  const { $schema: _dialect, ...schema } = toJsonSchema(operation.body);
  return JSON.parse(JSON.stringify(schema), (name, value) =>
    name === "additionalProperties" && value === false ? undefined : value,
  );
}

function batchSchemaOf(operation: Operation): JsonSchema {
  const items = { type: "array", minItems: 1, maxItems: operation.batchItemsMax, items: bodySchemaOf(operation) };
  return { anyOf: [{ type: "object", required: ["items"], properties: { items } }, items] };
}
