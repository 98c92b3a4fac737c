import { z } from "zod";

const schema = z.looseObject({});
const media = z.looseObject({ schema: schema.optional(), example: z.unknown().optional() });
const content = z.record(z.string(), media);
const parameter = z.looseObject({
  name: z.string(),
  in: z.enum(["path", "query", "header"]),
  required: z.boolean().default(false),
  schema,
});
const operation = z.looseObject({
  operationId: z.string(),
  security: z.array(z.record(z.string(), z.array(z.string()))),
  parameters: z.array(parameter).default([]),
  requestBody: z.looseObject({ content }).optional(),
  responses: z.record(z.string(), z.looseObject({ content: content.optional() })),
});
const document = z.looseObject({
  openapi: z.literal("3.1.0"),
  paths: z.record(z.string(), z.record(z.string(), operation)),
});

export type Schema = z.output<typeof schema>;
export type Parameter = z.output<typeof parameter>;

export interface DescribedAnswer {
  /** Media types with their schemas; none where no body is promised. */
  readonly content: Readonly<Record<string, { readonly schema?: Schema | undefined; readonly example?: unknown }>>;
}

/** One operation as the document describes it. */
export interface Operation {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  /** Name of the security scheme; undefined where none is declared. */
  readonly scheme: string | undefined;
  readonly scope: string | undefined;
  readonly parameters: readonly Parameter[];
  readonly body: { readonly schema: Schema; readonly example: unknown } | undefined;
  readonly answers: Readonly<Record<string, DescribedAnswer>>;
}

const JSON_TYPE = "application/json";

/** Every operation of a served document. @throws for a document of another shape. */
export function readDocument(text: string): { readonly whole: Schema; readonly operations: readonly Operation[] } {
  const whole = schema.parse(JSON.parse(text));
  const operations = Object.entries(document.parse(whole).paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, one]) => toOperation(path, method, one, whole.components)),
  );
  return { whole, operations };
}

/** @param components what the body's schema refers to, so that values can be made from it alone. */
function toOperation(path: string, method: string, one: z.output<typeof operation>, components: unknown): Operation {
  const needed = one.security.some((scheme) => Object.keys(scheme).length === 0) ? [] : one.security;
  const [[scheme, [scope] = []] = []] = needed.flatMap((each) => Object.entries(each));
  const json = one.requestBody?.content[JSON_TYPE];
  const answers = Object.entries(one.responses).map(([status, answer]) => [status, { content: answer.content ?? {} }]);
  return {
    operationId: one.operationId,
    method: method.toUpperCase(),
    path,
    scheme,
    scope,
    parameters: one.parameters,
    body: json === undefined ? undefined : { schema: { ...json.schema, components }, example: json.example },
    answers: Object.fromEntries(answers),
  };
}
