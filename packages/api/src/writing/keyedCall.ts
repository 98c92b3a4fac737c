import { hash } from "node:crypto";
import type { Call, Route } from "@headwater/http";
import { z } from "zod";

/** Returns whether a route writes: those that do take an `Idempotency-Key`. */
export function isWrite({ shapes: { headers } }: Pick<Route, "shapes">): boolean {
  return headers instanceof z.ZodObject && "Idempotency-Key" in headers.shape;
}

/** Returns the scope of an `Idempotency-Key`: the method, and the path with its parameters. */
export function routeOf({ method, path }: Pick<Route, "method" | "path">, params: unknown): string {
  const values = new Map<string, unknown>(Object.entries(Object(params)));
  const called = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values.get(name) ?? "")));
  return `${method} ${called}`;
}

/** Returns what a repeat under an `Idempotency-Key` must bring again: the bytes of the body, as a hash, and the query. */
export function sentBy({ bytes, query }: Pick<Call, "bytes" | "query">): unknown {
  return [hash("sha256", bytes, "hex"), query ?? null];
}

/** Returns the text by which bodies are compared. */
export function textOf({ body }: { readonly body: unknown }): string {
  return JSON.stringify(body ?? null);
}
