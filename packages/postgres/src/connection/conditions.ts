import type { Value } from "./session.ts";

/** Conditions of a WHERE that are known only when the statement is made; values are bound, never pasted. */
export interface Conditions {
  readonly values: Value[];
  /** @returns the parameter's name in the text. */
  bind(value: Value): string;
  add(condition: string): void;
  text(): string;
}

export function createConditions(): Conditions {
  const values: Value[] = [];
  const parts: string[] = [];
  return {
    values,
    bind: (value) => `$${values.push(value)}`,
    add: (condition) => void parts.push(condition),
    text: () => parts.join(" AND "),
  };
}
