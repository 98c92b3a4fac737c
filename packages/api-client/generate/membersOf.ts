interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
}

interface Operation {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, { schema?: Schema }>> }>>;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> };
}

/** Members below this depth are not listed: any name is accepted there. */
const DEPTH_MAX = 3;
const PLAIN_TYPES: ReadonlySet<unknown> = new Set(["string", "number", "integer", "boolean", "null"]);

/** Writes the members that each operation's answer can have; of a list, those of its rows. */
export function membersOf({ paths, components = {} }: Document): string {
  const { schemas = {} } = components;
  const lines = Object.values(paths).flatMap((methods) =>
    Object.values(methods).map(({ operationId, responses }) => {
      const answer = Object.entries(responses).find(([status]) => status.startsWith("2"))?.[1];
      const schema = answer?.content?.["application/json"]?.schema;
      const found = schema === undefined ? [] : pathsOf(rowsOf(resolve(schema, schemas)), schemas, DEPTH_MAX);
      return `  ${operationId}: ${JSON.stringify([...new Set(found)])},`;
    }),
  );
  return `import type { operations } from "./operations.ts";

/**
 * Members of each operation's answer, or of the rows of a list, as paths: \`*\` stands for any name, \`**\` at the end for the member itself
 * and anything below it.
 */
export const members: Readonly<Record<keyof typeof operations, readonly string[]>> = {
${lines.sort().join("\n")}
};
`;
}

/** Returns the rows of a list, and any other answer as it is. */
function rowsOf(schema: Schema): Schema {
  const { data, pagination } = schema.properties ?? {};
  return data?.items !== undefined && pagination !== undefined ? data.items : schema;
}

function pathsOf(input: Schema, schemas: Readonly<Record<string, Schema>>, depth: number): string[] {
  const schema = resolve(input, schemas);
  const { properties = {}, additionalProperties: others, allOf = [], anyOf = [], oneOf = [] } = schema;
  const inner = Object.entries(properties).flatMap(([name, member]) => below(name, member, schemas, depth));
  const alternatives = [...allOf, ...anyOf, ...oneOf].flatMap((one) => pathsOf(one, schemas, depth));
  const named =
    others === undefined || others === false ? [] : below("*", others === true ? {} : others, schemas, depth);
  return [...inner, ...alternatives, ...named];
}

function below(name: string, provided: Schema, schemas: Readonly<Record<string, Schema>>, depth: number): string[] {
  const schema = resolve(provided, schemas);
  if (isPlain(schema)) return [name === "*" ? "**" : name];
  const inner = depth > 1 && schema.items === undefined ? pathsOf(schema, schemas, depth - 1) : [];
  const isOpen = inner.length === 0 || inner.includes("**");
  return isOpen ? [name === "*" ? "**" : `${name}.**`] : [name, ...inner.map((path) => `${name}.${path}`)];
}

function isPlain({ type, anyOf, oneOf, allOf, properties, additionalProperties }: Schema): boolean {
  const isComposed = [anyOf, oneOf, allOf, properties, additionalProperties].some((part) => part !== undefined);
  return !isComposed && type !== undefined && [type].flat().every((one) => PLAIN_TYPES.has(one));
}

function resolve(schema: Schema, schemas: Readonly<Record<string, Schema>>): Schema {
  const name = schema.$ref?.replace("#/components/schemas/", "");
  return name === undefined ? schema : (schemas[name] ?? {});
}
