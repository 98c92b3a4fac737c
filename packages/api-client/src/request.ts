import { operations } from "./generated/operations.ts";

export type OperationId = keyof typeof operations;

export const methods = ["GET", "POST", "PUT", "DELETE"] as const;
export type Method = (typeof methods)[number];

export type QueryValue = string | number | boolean | readonly string[] | undefined;

/** Options of one call of an operation. */
export interface CallOptions {
  /** Values of the path's parameters, in their order. */
  readonly path?: readonly string[];
  readonly query?: Readonly<Record<string, QueryValue>>;
  readonly body?: unknown;
  /** Default: one is made for each write. It is kept over the retries. */
  readonly idempotencyKey?: string | undefined;
  /** The `ETag` that the record must still have. */
  readonly ifMatch?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A request as it may be shown: it holds no key. */
export interface ServiceRequest extends Omit<CallOptions, "path" | "query"> {
  readonly method: Method;
  /** Path from the root of the API, with its query: `/v2/orders?per_page=5`. */
  readonly path: string;
}

/** The request of an operation. Pure. @throws TypeError when the path has more or fewer parameters. */
export function requestOf(
  operation: OperationId,
  { path = [], query = {}, ...rest }: CallOptions = {},
): ServiceRequest {
  const { method, path: template } = operations[operation];
  return { method, path: withQuery(fill(template, path), query), ...rest };
}

function fill(template: string, values: readonly string[]): string {
  const left = [...values];
  const filled = template.replaceAll(/\{[^{}]+\}/g, (name) => {
    const value = left.shift();
    if (value === undefined || value === "") throw new TypeError(`${template} needs a value for ${name}`);
    return encodeURIComponent(value);
  });
  if (left.length > 0) throw new TypeError(`${template} has no parameter ${left.join(", ")}`);
  return filled;
}

/** Adds parameters to a path; those that are undefined are left out. */
export function withQuery(path: string, query: Readonly<Record<string, QueryValue>>): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue;
    for (const one of [value].flat()) parameters.append(name, String(one));
  }
  return parameters.size === 0 ? path : `${path}${path.includes("?") ? "&" : "?"}${parameters}`;
}
