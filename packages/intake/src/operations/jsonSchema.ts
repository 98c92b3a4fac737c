import { shapes } from "@headwater/contracts";
import { z } from "zod";
import type { LoggedOperation } from "./operation.ts";

export type JsonSchema = Readonly<Record<string, unknown>>;

/** JSON Schema 2020-12 of a shape as it goes over the wire. */
export function toJsonSchema(schema: z.ZodType): JsonSchema {
  return { ...z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) };
}

/** Name of the schema of an operation's frames in the registry; its id names the operation to a consumer. */
export function subjectOf(operation: { readonly name: string }): string {
  return `intake.${operation.name}`;
}

/** The closed schema of a frame of the operation. */
export function frameSchema(operation: LoggedOperation): JsonSchema {
  return toJsonSchema(shapes.frameOf(operation.record));
}

/** Returns what the registry holds of operations: the schema of each one's frames by its subject. */
export function frameSchemas(operations: readonly LoggedOperation[]): Readonly<Record<string, JsonSchema>> {
  return Object.fromEntries(operations.map((operation) => [subjectOf(operation), frameSchema(operation)]));
}
