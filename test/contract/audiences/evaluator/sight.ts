import type { Question } from "./evaluateCondition.ts";
import type { Value, World } from "./model.ts";

export interface Sight {
  readonly world: World;
  readonly question: Question;
  readonly known: number;
  readonly past: boolean;
}

export function latest<T extends { readonly at: number }>(writes: readonly T[], known: number): T | undefined {
  return writes.filter((write) => write.at <= known).sort((a, b) => b.at - a.at)[0];
}

export function member(document: Readonly<Record<string, Value>>, path = ""): Value | undefined {
  let value: Value | undefined = document;
  for (const segment of path.split(".")) {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
    value = Object.entries(value).find(([name]) => name === segment)?.[1];
  }
  return value ?? undefined;
}
