import { z } from "zod";

export type Schema = Readonly<Record<string, unknown>>;

const LEVELS_MAX = 32;
const schemas = { input: new WeakMap<z.ZodType, Schema>(), output: new WeakMap<z.ZodType, Schema>() };

/** Returns the JSON Schema of what a shape takes. */
export function schemaOf(shape: z.ZodType): Schema {
  return schemaFor(shape, "input");
}

/** Returns the JSON Schema of a shape of answers. */
export function answerSchemaOf(shape: z.ZodType): Schema {
  return schemaFor(shape, "output");
}

function schemaFor(shape: z.ZodType, io: keyof typeof schemas): Schema {
  const known = schemas[io].get(shape);
  if (known !== undefined) return known;
  const schema = { ...z.toJSONSchema(shape, { io, unrepresentable: "any" }) };
  schemas[io].set(shape, schema);
  return schema;
}

/** Returns the schemas that a schema may stand for. */
export function branchesOf(schema: Schema, root: Schema, levels = 0): Schema[] {
  if (levels > LEVELS_MAX) return [];
  const referred = typeof schema.$ref === "string" ? referredBy(schema.$ref, root) : undefined;
  if (referred !== undefined) return branchesOf(referred, root, levels + 1);
  const branches = [schema.anyOf, schema.oneOf, schema.allOf].flatMap(schemasIn);
  return branches.length === 0 ? [schema] : branches.flatMap((branch) => branchesOf(branch, root, levels + 1));
}

function referredBy(reference: string, root: Schema): Schema | undefined {
  const [, ...steps] = reference.split("/");
  let at: unknown = root;
  for (const step of steps) at = isContainer(at) ? Reflect.get(at, step) : undefined;
  return isSchema(at) ? at : undefined;
}

/** Keys that say nothing about a value. */
const ANNOTATIONS: ReadonlySet<string> = new Set([
  "$schema",
  "$defs",
  "id",
  "title",
  "description",
  "default",
  "examples",
]);

/** Returns whether a schema takes any value. */
export function isFreeForm(schema: Schema): boolean {
  return Object.keys(schema).every((key) => ANNOTATIONS.has(key));
}

/** Returns the objects among the schemas that the value may be: those whose constants it has, else all. */
export function branchesMeant(schemas: readonly Schema[], value: object): readonly Schema[] {
  const objects = schemas.filter(({ type }) => type === "object");
  const meant = objects.filter(({ properties }) =>
    !isContainer(properties)
      ? true
      : Object.entries(properties).every(([name, member]) => hasConstant(value, name, member)),
  );
  return meant.length === 0 ? objects : meant;
}

function hasConstant(value: object, name: string, member: unknown): boolean {
  return !isContainer(member) || !("const" in member) || Reflect.get(value, name) === member.const;
}

const wordHolders = new WeakMap<Schema, boolean>();

/** Returns whether a listed word can stand in a value of one of the schemas, at any level. */
export function holdsWords(schemas: readonly Schema[], root: Schema): boolean {
  return schemas.some((schema) => {
    const known = wordHolders.get(schema) ?? reachesWords(schema, root, new Set());
    wordHolders.set(schema, known);
    return known;
  });
}

/** @param seen schemas that were checked: one may hold itself. */
function reachesWords(schema: Schema, root: Schema, seen: Set<Schema>): boolean {
  if (seen.has(schema)) return false;
  seen.add(schema);
  if (Array.isArray(schema.enum) || typeof schema.const === "string") return true;
  const { $ref, properties, anyOf, oneOf, allOf, items, additionalProperties } = schema;
  const referred = typeof $ref === "string" ? referredBy($ref, root) : undefined;
  const inner = [anyOf, oneOf, allOf, items, additionalProperties, referred, ...Object.values(properties ?? {})];
  return inner.flatMap(schemasIn).some((one) => reachesWords(one, root, seen));
}

/** Returns the schemas of a member by its name; none for one that the schema does not name. */
export function memberSchemas({ properties, additionalProperties }: Schema, name: string): Schema[] {
  if (isContainer(properties) && Object.hasOwn(properties, name)) return schemasIn(Reflect.get(properties, name));
  return additionalProperties === true ? [{}] : schemasIn(additionalProperties);
}

/** Returns whether a schema names a member itself, and not by taking any. */
export function namesMember({ properties }: Schema, name: string): boolean {
  return isContainer(properties) && Object.hasOwn(properties, name);
}

/** Returns the schemas that a keyword holds: one, several or none. */
export function schemasIn(value: unknown): Schema[] {
  if (Array.isArray(value)) return value.filter(isSchema);
  return isSchema(value) ? [value] : [];
}

function isSchema(value: unknown): value is Schema {
  return isContainer(value) && !Array.isArray(value);
}

export function isContainer(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
