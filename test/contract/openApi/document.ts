import { z } from "zod";

const parameter = z.looseObject({ name: z.string(), in: z.string(), required: z.boolean().optional() });
const media = z.looseObject({ example: z.unknown().optional() });
const operation = z.looseObject({
  operationId: z.string(),
  security: z.array(z.record(z.string(), z.array(z.string()))).default([]),
  parameters: z.array(parameter).default([]),
  requestBody: z.looseObject({ content: z.record(z.string(), media) }).optional(),
  responses: z.record(z.string(), z.unknown()),
});
const document = z.looseObject({
  openapi: z.literal("3.1.0"),
  paths: z.record(z.string(), z.record(z.string(), operation)),
  components: z.looseObject({ securitySchemes: z.record(z.string(), z.unknown()) }),
});

/** One operation that takes a body, as the document describes it. */
export interface Described {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  /** Proof of its callers' identity: the security scheme; where none is declared, the header that it needs; else "none". */
  readonly proof: string;
  /** Names of its path parameters. */
  readonly pathParameters: readonly string[];
  readonly example: unknown;
  /** The success that is promised for the example as it stands. */
  readonly status: number;
}

/** Reads a served document: every operation that takes a body of JSON. @throws for a document of another shape. */
export function describedIn(text: string): Described[] {
  const { paths } = document.parse(JSON.parse(text));
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, one]) => {
      const { requestBody, operationId, parameters, responses } = one;
      const json = requestBody?.content["application/json"];
      if (json === undefined) return [];
      const { example } = json;
      const pathParameters = parameters.filter((each) => each.in === "path").map(({ name }) => name);
      const status = promisedStatus(Object.keys(responses).map(Number));
      return [
        { operationId, method: method.toUpperCase(), path, proof: proofOf(one), pathParameters, example, status },
      ];
    }),
  );
}

/** 200 next to 202 is for calls that only validate; 201 next to 200 for what is new, as examples are. */
function promisedStatus(statuses: readonly number[]): number {
  const promised = [202, 201, 200].find((status) => statuses.includes(status));
  if (promised === undefined) throw new Error(`no success among ${statuses.join(", ")}`);
  return promised;
}

function proofOf({ security, parameters }: z.output<typeof operation>): string {
  const [scheme] = security.flatMap((one) => Object.keys(one));
  const header = parameters.find((one) => one.in === "header" && one.required === true);
  return scheme ?? header?.name ?? "none";
}

/** Any operation, with a body or without. */
export interface AnyOperation {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  readonly pathParameters: readonly string[];
  /** Absent where it takes no body. */
  readonly example: unknown;
}

/** Reads a served document: every operation. @throws for a document of another shape. */
export function operationsIn(text: string): AnyOperation[] {
  const { paths } = document.parse(JSON.parse(text));
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, parameters, requestBody }]) => {
      const pathParameters = parameters.filter((each) => each.in === "path").map(({ name }) => name);
      const { example } = requestBody?.content["application/json"] ?? {};
      return { operationId, method: method.toUpperCase(), path, pathParameters, example };
    }),
  );
}
