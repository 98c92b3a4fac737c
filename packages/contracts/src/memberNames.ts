import { pointerStep } from "@headwater/kernel";
import type { z } from "zod";
import { bounds } from "./bounds.ts";
import type { ErrorDetail } from "./errorCodes.ts";

/** Bounds on members whose names their sender chooses. */
export interface NameRules {
  /** JSON pointer to the container, which is level 1. */
  readonly at: string;
  readonly levelsMax: number;
  readonly tooDeep: string;
  /** A dotted name of level 1 is nested later: it has as many levels as parts. */
  readonly isNested: boolean;
}

/** A body may be wrong in ten thousand paths: an answer needs the first few of each container. */
const DETAILS_MAX = 10;
const { memberNameBytes } = bounds;
/** UTF-16 code units that never have more bytes than a name may have. */
const SURELY_SHORT = Math.floor(memberNameBytes / 3);

export function isLongName(name: string): boolean {
  return name.length > SURELY_SHORT && Buffer.byteLength(name) > memberNameBytes;
}

/** The detail of a name that is too long. `at` is the pointer to what has it. */
export function longName(name: string, at: string): ErrorDetail {
  const message = `A member name exceeds ${memberNameBytes} bytes.`;
  return { path: `${at}/${pointerStep(name)}`, code: "too_long", message };
}

/** Returns whether a number of a JSON text was too large to be read (`1e400`): it would be stored as nothing. */
export function isLostNumber(value: unknown): boolean {
  return typeof value === "number" && !Number.isFinite(value);
}

/** Returns the steps to the first number in a value of bounded depth that was too large to be read; undefined when there is none. */
function findLostNumber(value: unknown): string[] | undefined {
  if (isLostNumber(value)) return [];
  if (!isContainer(value)) return undefined;
  // Entries of a large array would cost more than all that is done with them.
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      const found = findLostNumber(value[index]);
      if (found !== undefined) return [String(index), ...found];
    }
    return undefined;
  }
  for (const name of Object.keys(value)) {
    const found = findLostNumber(Reflect.get(value, name));
    if (found !== undefined) return [name, ...found];
  }
  return undefined;
}

/** Refuses a value that holds a number that was too large to be read, at its place. */
export function refuseLostNumbers(value: unknown, context: z.RefinementCtx): void {
  const path = findLostNumber(value);
  if (path === undefined) return;
  const { code, message } = lostNumber("");
  context.addIssue({ code: "custom", path, message, params: { code } });
}

/** The detail of a number that is too large. `path` is the pointer to it. */
export function lostNumber(path: string): ErrorDetail {
  return { path, code: "bad_value", message: "The number is too large: at most 1.7976931348623157e308 can be kept." };
}

/**
 * Checks names, nesting and numbers of a container at every level. The walk ends where it is too deep, so that depth cannot exhaust the
 * stack.
 */
export function checkNames(container: object, rules: NameRules): ErrorDetail[] {
  const details: ErrorDetail[] = [];
  visit(container, { level: 1, path: rules.at, blamed: rules.at }, { ...rules, details });
  return details;
}

interface Path {
  readonly level: number;
  readonly path: string;
  /** JSON pointer under which too deep a nesting is reported. */
  readonly blamed: string;
}

interface Check extends NameRules {
  readonly details: ErrorDetail[];
}

/** @returns whether to go on. */
function visit(container: object, position: Path, check: Check): boolean {
  if (position.level > check.levelsMax) {
    check.details.push({ path: position.blamed, code: "out_of_range", message: check.tooDeep });
    return false;
  }
  return Array.isArray(container) ? visitItems(container, position, check) : visitMembers(container, position, check);
}

function visitItems(items: readonly unknown[], { level, path, blamed }: Path, check: Check): boolean {
  for (let index = 0; index < items.length; index++) {
    const inner = items[index];
    if (isLostNumber(inner) && check.details.push(lostNumber(`${path}/${index}`)) >= DETAILS_MAX) return false;
    if (!isContainer(inner)) continue;
    if (!visit(inner, { level: level + 1, path: `${path}/${index}`, blamed }, check)) return false;
  }
  return true;
}

function visitMembers(members: object, { level, path, blamed }: Path, check: Check): boolean {
  for (const [name, inner] of Object.entries(members)) {
    const parts = check.isNested && level === 1 ? partsOf(name) : 1;
    const wrong = wrongName(name, parts, path, check);
    if (wrong !== undefined) {
      if (check.details.push(wrong) >= DETAILS_MAX) return false;
    } else if (isLostNumber(inner)) {
      if (check.details.push(lostNumber(`${path}/${pointerStep(name)}`)) >= DETAILS_MAX) return false;
    } else if (isContainer(inner)) {
      const at = `${path}/${pointerStep(name)}`;
      if (!visit(inner, { level: level + parts, path: at, blamed: parts > 1 ? at : blamed }, check)) return false;
    }
  }
  return true;
}

function wrongName(name: string, parts: number, at: string, { levelsMax }: Check): ErrorDetail | undefined {
  if (isLongName(name)) return longName(name, at);
  if (parts <= levelsMax) return undefined;
  const message = `A dotted name has more than ${levelsMax} parts.`;
  return { path: `${at}/${pointerStep(name)}`, code: "too_many", message };
}

/** Counts the levels that a dotted name becomes. */
function partsOf(name: string): number {
  let parts = 1;
  for (let at = name.indexOf("."); at >= 0; at = name.indexOf(".", at + 1)) parts++;
  return parts;
}

function isContainer(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
