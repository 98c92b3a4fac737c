import { z } from "zod";

const grammars = new WeakMap<z.core.$ZodType, z.ZodType>();

/**
 * Publishes a grammar in the place of a schema, for a member whose own parser reports its mistakes by codes of its own: the schema takes
 * what that parser is to read. Call it last: what zod derives from a schema (`describe`, `meta`) is published as it is.
 */
export function publishedAs<Schema extends z.ZodType>(schema: Schema, grammar: z.ZodType): Schema {
  grammars.set(schema, grammar);
  return schema;
}

export function grammarOf(schema: z.core.$ZodType): z.ZodType | undefined {
  return grammars.get(schema);
}

/** Reports a mistake of a member, or of what lies below it. */
export type Refuse = (
  code: string,
  message: string,
  more?: { readonly below?: readonly PropertyKey[]; readonly allowed?: readonly string[] },
) => undefined;

/**
 * Creates the schema of a member with a parser of its own, published as a grammar. The parser returns the value of the member, or reports what
 * is wrong with it: what it returns then is not read.
 */
export function parsedBy<Value>(
  grammar: z.ZodType,
  parse: (value: unknown, refuse: Refuse) => Value | undefined,
): z.ZodType<Value | undefined> {
  // A transform would take the examples out of all schemas that have the member.
  const schema = z.custom<Value | undefined>().check((payload) => {
    const input: unknown = payload.value;
    payload.value = parse(input, (code, message, { below = [], allowed } = {}) => {
      payload.issues.push({ code: "custom", path: [...below], message, params: { code, allowed }, input });
      return undefined;
    });
  });
  return publishedAs(schema, grammar);
}
