import { nameOfPointerStep } from "@headwater/kernel";
import { usageError } from "../failure.ts";
import { isObject } from "./document.ts";

/**
 * A copy of a document with another value at one position, which is a JSON pointer (`/limits/readPerSecond`,
 * `/identifiers/1/kind`) or a name (`timezone`, `limits.readPerSecond`).
 */
export function setAt(target: unknown, position: string, value: unknown): unknown {
  const steps = position.startsWith("/") ? position.slice(1).split("/").map(nameOfPointerStep) : position.split(".");
  if (steps.some((step) => step === "")) throw usageError(`${position} is neither a member's name nor a JSON pointer.`);
  return replace(target, steps, value);
}

function replace(target: unknown, [step, ...rest]: readonly string[], value: unknown): unknown {
  if (step === undefined) return value;
  if (Array.isArray(target)) {
    const index = step === "-" ? target.length : Number(step);
    if (!Number.isInteger(index) || index < 0 || index > target.length) {
      throw usageError(`${step} is not a place in an array of ${target.length}.`);
    }
    const copy: unknown[] = [...target];
    copy[index] = replace(copy[index], rest, value);
    return copy;
  }
  const base = isObject(target) ? target : {};
  return { ...base, [step]: replace(Object.hasOwn(base, step) ? base[step] : undefined, rest, value) };
}

/** Returns the readings of a typed value, likeliest first: `5` is a number, `UTC` a text, and `5` a text where only a text is right. */
export function readingsOf(typed: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(typed);
    return typeof value === "string" ? [value] : [value, typed];
  } catch (error) {
    if (error instanceof SyntaxError) return [typed];
    throw error;
  }
}
