import { type Operation, readDocument, type Schema } from "./description.ts";
import type { Plan } from "./requests.ts";
import type { Proofs } from "./send.ts";

/** An account of one operation's own, in which its example succeeds. */
export interface World {
  readonly proofs: Proofs;
  readonly plan: Pick<Plan, "path" | "query" | "statuses" | "isProved">;
  /**
   * Returns the parts of a body's text that a success accepted, each in the form that the schema describes. Absent: all of it, as it came.
   */
  readonly taken?: (body: string, answer: string) => readonly unknown[];
}

/** An app whose document is driven. */
export interface App {
  readonly url: string;
  readonly whole: Schema;
  readonly operations: readonly Operation[];
  /** Makes the account of one operation; `number` is its place among the operations. */
  world(operation: Operation, number: number): Promise<World>;
  stop(): Promise<void>;
}

/** Reads the app's description of itself. */
export async function documentOf(url: string): Promise<Pick<App, "whole" | "operations">> {
  return readDocument(await (await fetch(`${url}/docs/json`)).text());
}

/** A proof that is a header. */
export function byHeader(name: string, value: string): Proofs["owner"] {
  return (request) => ({ ...request, headers: { ...request.headers, [name]: value } });
}

export const asItIs: Proofs["nobody"] = (request) => request;
