const LOCAL = "#/$defs/";
const SHARED = "#/components/schemas/";

export interface Hoisted {
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
