import fc from "fast-check";
import { z } from "zod";

const DEPTH_MAX = 5;
const ITEMS_MAX = 3;
const CHARACTERS_MAX = 40;

const schemaNode = z.looseObject({
  $ref: z.string().optional(),
  const: z.json().optional(),
  enum: z.array(z.json()).optional(),
  anyOf: z.array(z.unknown()).optional(),
  oneOf: z.array(z.unknown()).optional(),
  allOf: z.array(z.unknown()).optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
  pattern: z.string().optional(),
  minLength: z.number().optional(),
  maxLength: z.number().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  minItems: z.number().optional(),
  maxItems: z.number().optional(),
  items: z.unknown().optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  required: z.array(z.string()).optional(),
  additionalProperties: z.unknown().optional(),
  propertyNames: z.unknown().optional(),
});
type Node = z.infer<typeof schemaNode>;

const root = z.looseObject({ $defs: z.record(z.string(), z.unknown()).default({}) });

/** Values that a shape takes, made from its JSON Schema; what a schema cannot say (rules between members) may be broken. */
export function arbitraryOf(shape: z.ZodType): fc.Arbitrary<unknown> {
  const schema = z.toJSONSchema(shape, { io: "input", unrepresentable: "any" });
  return ofNode(schema, { definitions: root.parse(schema).$defs, depth: 0 });
}

interface Context {
  readonly definitions: Readonly<Record<string, unknown>>;
  readonly depth: number;
}

const anything = fc.jsonValue({ maxDepth: 2 });

function ofNode(schema: unknown, context: Context): fc.Arbitrary<unknown> {
  const read = schemaNode.safeParse(schema);
  if (!read.success || context.depth > DEPTH_MAX) return anything;
  const node = read.data;
  const inner = { ...context, depth: context.depth + 1 };
  if (node.$ref !== undefined) return ofNode(context.definitions[node.$ref.split("/").at(-1) ?? ""], inner);
  if (node.const !== undefined) return fc.constant(node.const);
  if (node.enum !== undefined) return fc.constantFrom(...node.enum);
  const choices = node.anyOf ?? node.oneOf;
  if (choices !== undefined) return fc.oneof(...choices.map((choice) => ofNode(choice, inner)));
  if (node.allOf !== undefined) return allOf(node.allOf, inner);
  const [type] = [node.type ?? []].flat();
  return ofType(type, node, inner);
}

function allOf(parts: readonly unknown[], context: Context): fc.Arbitrary<unknown> {
  const merged = fc.tuple(...parts.map((part) => ofNode(part, context)));
  return merged.map((values) =>
    values.every((value) => typeof value === "object") ? Object.assign({}, ...values) : values[0],
  );
}

function ofType(type: string | undefined, node: Node, context: Context): fc.Arbitrary<unknown> {
  switch (type) {
    case "string":
      return text(node);
    case "integer":
      return fc.integer({ min: Math.max(node.minimum ?? -1_000, -1e9), max: Math.min(node.maximum ?? 1_000, 1e9) });
    case "number":
      return fc.double({ min: node.minimum ?? -1e6, max: node.maximum ?? 1e6, noNaN: true });
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    case "array":
      return fc.array(ofNode(node.items, context), {
        minLength: node.minItems ?? 0,
        maxLength: Math.max(node.minItems ?? 0, Math.min(node.maxItems ?? ITEMS_MAX, ITEMS_MAX)),
      });
    case "object":
      return object(node, context);
    default:
      return anything;
  }
}

const TIMES = ["2026-01-09T22:47:12Z", "2026-01-09", "1999-12-31T23:59:59.999+02:00", "2026-01-09 22:47:12"];

function text({ pattern, minLength = 0, maxLength = CHARACTERS_MAX }: Node): fc.Arbitrary<string> {
  if (pattern !== undefined) return fc.oneof(fc.constantFrom(...TIMES), fc.stringMatching(new RegExp(pattern)));
  const bounds = { minLength, maxLength: Math.max(minLength, Math.min(maxLength, CHARACTERS_MAX)) };
  return fc.oneof(
    fc.string(bounds),
    fc.string({ ...bounds, unit: "binary" }),
    fc.constantFrom(...TIMES, "a@example.com"),
  );
}

function object(node: Node, context: Context): fc.Arbitrary<object> {
  const members = Object.entries(node.properties ?? {}).map(
    ([name, schema]) => [name, ofNode(schema, context)] as const,
  );
  const known = fc.record(Object.fromEntries(members), { requiredKeys: node.required ?? [] });
  if (node.additionalProperties === undefined || node.additionalProperties === false) return known;
  const names = fc.oneof(fc.constantFrom("email", "customer_id", "plan"), fc.string({ minLength: 1, maxLength: 12 }));
  const more = fc.dictionary(names, ofNode(node.additionalProperties, context), { minKeys: 1, maxKeys: ITEMS_MAX });
  return fc.tuple(more, known).map(([free, own]) => ({ ...free, ...own }));
}
