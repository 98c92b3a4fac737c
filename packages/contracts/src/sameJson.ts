import { isObject } from "./attributeRules.ts";
import type { Json } from "./written.ts";

/** Returns whether two values are equal, whatever the order of an object's members. Takes as long as the smaller one is large. */
export function sameJson(left: Json, right: Json): boolean {
  if (left === right) return true;
  if (left === null || right === null || typeof left !== "object" || typeof right !== "object") return false;
  if (Array.isArray(left)) {
    return Array.isArray(right) && left.length === right.length && left.every((item, at) => sameJson(item, right[at]));
  }
  if (!isObject(left) || !isObject(right)) return false;
  const names = Object.keys(left);
  if (names.length !== Object.keys(right).length) return false;
  return names.every((name) => Object.hasOwn(right, name) && sameJson(left[name] ?? null, right[name] ?? null));
}

/** Values, to be asked whether one is among them: a look-up takes as long as the value is large, however many there are. */
export class JsonSet {
  readonly #plain = new Set<Json>();
  readonly #texts = new Set<string>();

  constructor(values: readonly Json[]) {
    for (const value of values) this.add(value);
  }

  /** @returns false for a value that was there. */
  add(value: Json): boolean {
    const before = this.#plain.size + this.#texts.size;
    if (value !== null && typeof value === "object") this.#texts.add(canonicalText(value));
    else this.#plain.add(value);
    return this.#plain.size + this.#texts.size > before;
  }

  has(value: Json): boolean {
    if (value === null || typeof value !== "object") return this.#plain.has(value);
    return this.#texts.size > 0 && this.#texts.has(canonicalText(value));
  }
}

/** JSON text with members in order of name. */
function canonicalText(value: Json): string {
  return JSON.stringify(value, (_name, inner: unknown) => {
    if (inner === null || typeof inner !== "object" || Array.isArray(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}
