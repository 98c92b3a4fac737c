import { type ErrorDetail, pointerStep, runAtOnce, type Sliced } from "@headwater/kernel";

/** Escapes that can hide NUL, a surrogate or an underscore of `__proto__`. */
const SUSPICIOUS_ESCAPE = /\\u(?:0000|[dD][89a-fA-F]|005[fF])/;

/** A cheap test of a body's text: without a hit no value in it needs `findForbidden`. */
export function mayHoldForbidden(text: string): boolean {
  return text.includes("__proto__") || (text.includes("\\u") && SUSPICIOUS_ESCAPE.test(text));
}

/** A container that is being searched. */
interface Frame {
  readonly values: readonly unknown[];
  /** Undefined for arrays. */
  readonly names: readonly string[] | undefined;
  next: number;
}

/**
 * Looks in a parsed JSON value for what no store can hold and no shape may name: NUL or a lone surrogate in a string or a
 * member's name, and a member called `__proto__`. It checks each value once and without recursion, so that neither size
 * nor depth can exhaust anything.
 */
export function findForbidden(value: unknown): ErrorDetail | undefined {
  return runAtOnce(findForbiddenInSlices(value));
}

/** Answers as `findForbidden` does, and stops every few thousand values, for a value of any size. */
export function* findForbiddenInSlices(value: unknown): Sliced<ErrorDetail | undefined> {
  if (typeof value === "string") return isForbidden(value) ? badText("") : undefined;
  const first = frameOf(value);
  const frames = first === undefined ? [] : [first];
  let seen = 0;
  for (let frame = frames.at(-1); frame !== undefined; frame = frames.at(-1)) {
    if (frame.next === frame.values.length) {
      frames.pop();
      continue;
    }
    const from = frame.next;
    const found = checkNext(frame, frames);
    if (found !== undefined) return found;
    seen += frame.next - from;
    if (seen >= VALUES_PER_STEP) {
      seen = 0;
      yield;
    }
  }
  return undefined;
}

/** Values that are checked between two stops. */
const VALUES_PER_STEP = 4_096;

/** Goes on to the next container in the frame, and into it. */
function checkNext(frame: Frame, frames: Frame[]): ErrorDetail | undefined {
  const { values, names } = frame;
  const end = Math.min(values.length, frame.next + VALUES_PER_STEP);
  while (frame.next < end) {
    const at = frame.next++;
    const name = names?.[at];
    if (name === "__proto__") return notAllowed(pointerTo(frames));
    if (name !== undefined && isForbidden(name)) return badText(pointerTo(frames));
    const inner = values[at];
    if (typeof inner === "string" && isForbidden(inner)) return badText(pointerTo(frames));
    const deeper = frameOf(inner);
    if (deeper !== undefined) {
      frames.push(deeper);
      return undefined;
    }
  }
  return undefined;
}

/** @returns undefined for what holds nothing. */
function frameOf(value: unknown): Frame | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  if (Array.isArray(value)) return value.length === 0 ? undefined : { values: value, names: undefined, next: 0 };
  const names = Object.keys(value);
  return names.length === 0 ? undefined : { values: Object.values(value), names, next: 0 };
}

function isForbidden(text: string): boolean {
  return text.includes("\u0000") || !text.isWellFormed();
}

/** Pointers of paths that are too deep to be useful are cut at their beginning. */
const STEPS_MAX = 64;

/** Returns the pointer to where the frames stand: at the value each checked last. */
function pointerTo(frames: readonly Frame[]): string {
  const steps = frames.slice(-STEPS_MAX).map(({ names, next }) => names?.[next - 1] ?? String(next - 1));
  return steps.map((step) => `/${pointerStep(step.replaceAll("\u0000", "").toWellFormed())}`).join("");
}

function notAllowed(path: string): ErrorDetail {
  return { path, code: "not_allowed", message: "A member must not be named __proto__." };
}

function badText(path: string): ErrorDetail {
  return { path, code: "bad_value", message: "Text must not contain NUL or unpaired surrogates." };
}
