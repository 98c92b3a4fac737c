import { type ErrorDetail, pointerStep } from "@headwater/kernel";

/** Escapes that can hide NUL, a surrogate or an underscore of `__proto__`. */
const SUSPICIOUS_ESCAPE = /\\u(?:0000|[dD][89a-fA-F]|005[fF])/;

/** A cheap test of a body's text: without a hit no value in it needs `findForbidden`. */
export function mayHoldForbidden(text: string): boolean {
  return text.includes("__proto__") || (text.includes("\\u") && SUSPICIOUS_ESCAPE.test(text));
}

interface Place {
  readonly value: object;
  readonly parent: Place | undefined;
  readonly step: string;
}

/**
 * Looks in a parsed JSON value for what no store can hold and no shape may name: NUL or a lone surrogate in a string or a
 * member's name, and a member called `__proto__`. It walks without recursion, so that depth cannot exhaust the stack.
 */
export function findForbidden(value: unknown): ErrorDetail | undefined {
  if (typeof value === "string") return isForbidden(value) ? badText("") : undefined;
  if (typeof value !== "object" || value === null) return undefined;
  const pending: Place[] = [{ value, parent: undefined, step: "" }];
  for (let place = pending.pop(); place !== undefined; place = pending.pop()) {
    const found = lookInto(place, pending);
    if (found !== undefined) return found;
  }
  return undefined;
}

function lookInto(place: Place, pending: Place[]): ErrorDetail | undefined {
  for (const [step, inner] of Object.entries(place.value)) {
    if (step === "__proto__") return notAllowed(pointerTo(place, step));
    if (isForbidden(step)) return badText(pointerTo(place, step.replaceAll("\u0000", "").toWellFormed()));
    if (typeof inner === "string" && isForbidden(inner)) return badText(pointerTo(place, step));
    if (typeof inner === "object" && inner !== null) pending.push({ value: inner, parent: place, step });
  }
  return undefined;
}

function isForbidden(text: string): boolean {
  return text.includes("\u0000") || !text.isWellFormed();
}

/** Pointers of places that are too deep to be useful are cut at their beginning. */
const STEPS_MAX = 64;

function pointerTo(place: Place, last: string): string {
  const steps = [last];
  for (let at: Place | undefined = place; at?.parent !== undefined && steps.length < STEPS_MAX; at = at.parent) {
    steps.push(at.step);
  }
  return steps.reverse().map(toStep).join("");
}

function toStep(name: string): string {
  return `/${pointerStep(name)}`;
}

function notAllowed(path: string): ErrorDetail {
  return { path, code: "not_allowed", message: "A member may not be called __proto__." };
}

function badText(path: string): ErrorDetail {
  return { path, code: "bad_value", message: "Text may hold neither NUL nor half of a surrogate pair." };
}
