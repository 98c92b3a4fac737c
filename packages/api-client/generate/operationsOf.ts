const METHODS = ["get", "post", "put", "delete"] as const;

interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
}

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: object;
}

interface Document {
  readonly paths: Readonly<Record<string, Partial<Record<(typeof METHODS)[number], Operation>>>>;
}

/** Writes what a program needs to know of each operation at run time, when types are gone. */
export function operationsOf({ paths }: Document): string {
  const lines = Object.entries(paths).flatMap(([path, methods]) =>
    METHODS.flatMap((method) => {
      const operation = methods[method];
      return operation === undefined ? [] : [lineOf(method, path, operation)];
    }),
  );
  return `/** Every operation of the document by its id. */
export const operations = {
${lines.sort().join("\n")}
} as const;
`;
}

function lineOf(method: string, path: string, { operationId, parameters = [], requestBody }: Operation): string {
  const names = (position: Parameter["in"]) => parameters.filter((one) => one.in === position).map(({ name }) => name);
  const described = {
    method: method.toUpperCase(),
    path,
    query: names("query"),
    headers: names("header"),
    hasBody: requestBody !== undefined,
  };
  return `  ${operationId}: ${JSON.stringify(described)},`;
}
