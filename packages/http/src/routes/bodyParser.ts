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
      const input = parseShape(anyObject, value, "body");
      const parsed = safeParse(schema, input);
      if (parsed.success) return { given: input, kind: "valid", content: parsed.data };
      return { given: input, kind: "invalid", problems: toDetails(parsed.error) };
    },
  };
}

/** A body whose members are valid or not each by itself. */
export interface ReadMembers<Members> {
  /** The body as JSON has it. */
  readonly given: Readonly<Record<string, unknown>>;
  /** The members that are valid. */
  readonly members: Members;
  /** Validation errors of all others, and of members that the schema does not name. */
  readonly problems: readonly ErrorDetail[];
}

type Shape = Readonly<Record<string, z.ZodType>>;
type PartialOf<Members extends Shape, Config extends z.core.$ZodObjectConfig> = z.output<
  z.ZodObject<{ [Name in keyof Members]: z.ZodOptional<Members[Name]> }, Config>
>;

/**
 * Leaves it to the handler to report the validation errors of a body, as `readByHandler` does, with the members that are valid all the same:
 * the handler reports what is wrong with those as well.
 */
export function readMembers<Members extends Shape, Config extends z.core.$ZodObjectConfig>(
  schema: z.ZodObject<Members, Config>,
): BodyParser<ReadMembers<PartialOf<Members, Config>>> {
  const partial = schema.partial();
  return {
    schema,
    parse(value) {
      const provided = parseShape(anyObject, value, "body");
      const { error } = safeParse(schema, provided);
      if (error === undefined) return { given: provided, members: partialOf(provided), problems: [] };
      const wrong = new Set(error.issues.flatMap(membersAt));
      const valid = Object.entries(provided).filter(([name]) => !wrong.has(name));
      return { given: provided, members: partialOf(Object.fromEntries(valid)), problems: toDetails(error) };
    },
  };

  function partialOf(valid: object) {
    const { data } = safeParse(partial, valid);
    if (data === undefined) throw new Error("a member is valid only beside others");
    return data;
  }
}

/** Returns the names of the members that an issue is about. */
function membersAt(issue: z.core.$ZodIssue): PropertyKey[] {
  if (issue.code === "unrecognized_keys" && issue.path.length === 0) return issue.keys;
  return issue.path.slice(0, 1);
}

export function schemaOfBody<Body>(body: z.ZodType<Body> | BodyParser<Body>): z.ZodType {
  return body instanceof z.ZodType ? body : body.schema;
}

export function parseBody<Body>(body: z.ZodType<Body> | BodyParser<Body>, value: unknown): Body {
  return body instanceof z.ZodType ? parseShape(body, value, "body") : body.parse(value);
}
