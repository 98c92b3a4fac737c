import type { z } from "zod";

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
