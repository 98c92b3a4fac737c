import { type ErrorDetail, safeParse, toDetails } from "@headwater/kernel";
import { z } from "zod";
import { parseShape } from "./problems.ts";

/** Parses a body by the schema that the OpenAPI document shows. Made by `readByHandler`. */
export interface BodyParser<Body> {
  readonly schema: z.ZodType;
  /** @throws HeadwaterError 422 `VALIDATION_ERROR`. */
  parse(value: unknown): Body;
}

/** A body, and its content in its shape or all validation errors of it. */
export type ReadBody<Content> = {
  /** The body as JSON has it. */
  readonly given: Readonly<Record<string, unknown>>;
} & (
  | { readonly kind: "valid"; readonly content: Content }
  | { readonly kind: "invalid"; readonly problems: readonly ErrorDetail[] }
);

const anyObject = z.record(z.string(), z.unknown());

/**
 * Leaves it to the handler to report the validation errors of a body, together with those that it finds itself. What is not an object is
 * refused as usual.
 */
export function readByHandler<Content>(schema: z.ZodType<Content>): BodyParser<ReadBody<Content>> {
  return {
    schema,
    parse(value) {
      const given = parseShape(anyObject, value, "body");
      const parsed = safeParse(schema, given);
      if (parsed.success) return { given, kind: "valid", content: parsed.data };
      return { given, kind: "invalid", problems: toDetails(parsed.error) };
    },
  };
}

export function schemaOfBody<Body>(body: z.ZodType<Body> | BodyParser<Body>): z.ZodType {
  return body instanceof z.ZodType ? body : body.schema;
}

export function parseBody<Body>(body: z.ZodType<Body> | BodyParser<Body>, value: unknown): Body {
  return body instanceof z.ZodType ? parseShape(body, value, "body") : body.parse(value);
}
