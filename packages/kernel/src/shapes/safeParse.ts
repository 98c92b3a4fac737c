import type { z } from "zod";
import { describeIssue } from "./describeIssue.ts";

const inOurWords = { error: describeIssue };

/**
 * Parses a value that a stranger wrote, like `shape.safeParse`, with the messages of `describeIssue`. zod 4.6 compares the `length` of a
 * value whatever its type, and throws when that is an object without a primitive value, as in `{"length": {"toString": 0}}`: one item
 * would end the whole request. Such members are hidden while it looks, so that it says what is wrong with the value that has them.
 */
export function safeParse<Shape extends z.ZodType>(
  shape: Shape,
  value: unknown,
): z.ZodSafeParseResult<z.output<Shape>> {
  try {
    return shape.safeParse(value, inOurWords);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return withoutOddLengths(value, () => shape.safeParse(value, inOurWords));
  }
}

/** Runs `look` while each object below the value that has an object as its `length` shows none. */
function withoutOddLengths<Result>(value: unknown, look: () => Result): Result {
  const odd = oddLengthsOf(value).map((owner) => ({ owner, length: owner.length }));
  for (const { owner } of odd) owner.length = undefined;
  try {
    return look();
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
