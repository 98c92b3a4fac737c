import type { z } from "zod";
import { describeIssue } from "./describeIssue.ts";
import { withListedWords } from "./listedWords.ts";

const inOurWords = { error: describeIssue };

/**
 * Parses a value that a stranger wrote, like `shape.safeParse`, with the messages of `describeIssue`. zod 4.6 compares the `length` of a
 * value whatever its type, and throws when that is an object without a primitive value, as in `{"length": {"toString": 0}}`: one item
 * would end the whole request. Such members are hidden while it checks, so that it says what is wrong with the value that has them.
 * Words of enums may be spelled in any case: they are read as the shape lists them.
 */
export function safeParse<Shape extends z.ZodType>(
  shape: Shape,
  value: unknown,
): z.ZodSafeParseResult<z.output<Shape>> {
  const parsed = parseOnce(shape, value);
  if (parsed.success || !parsed.error.issues.some(mayBeOfWord)) return parsed;
  const listed = withListedWords(shape, value);
  return listed === value ? parsed : parseOnce(shape, listed);
}

/** Returns whether an issue may come of a word that is spelled in another case than the shape lists it. */
function mayBeOfWord({ code }: z.core.$ZodIssue): boolean {
  return code === "invalid_value" || code === "invalid_union";
}

function parseOnce<Shape extends z.ZodType>(shape: Shape, value: unknown): z.ZodSafeParseResult<z.output<Shape>> {
  try {
    return shape.safeParse(value, inOurWords);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return withoutOddLengths(value, () => shape.safeParse(value, inOurWords));
  }
}

/** Runs `look` while each object below the value that has an object as its `length` shows none. */
function withoutOddLengths<Result>(value: unknown, check: () => Result): Result {
  const odd = oddLengthsOf(value).map((owner) => ({ owner, length: owner.length }));
  for (const { owner } of odd) owner.length = undefined;
  try {
    return check();
  } finally {
    for (const { owner, length } of odd) owner.length = length;
  }
}

interface OddLength {
  length: unknown;
}

/** Visits each value once, without recursion: a value may be of any depth. */
function oddLengthsOf(value: unknown): OddLength[] {
  const found: OddLength[] = [];
  const waiting: unknown[] = [value];
  for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
    if (typeof one !== "object" || one === null) continue;
    if (hasOddLength(one)) found.push(one);
    for (const inner of Object.values(one)) if (typeof inner === "object" && inner !== null) waiting.push(inner);
  }
  return found;
}

function hasOddLength(value: object): value is OddLength {
  return Object.hasOwn(value, "length") && typeof Reflect.get(value, "length") === "object";
}
