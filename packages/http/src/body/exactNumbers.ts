import { isDeeperThan } from "./depth.ts";

/** More digits in a row than a double keeps, a decimal point among them or not. */
const MANY_DIGITS = /\d(?:\.?\d){15}/;

/** Members whose own members are free-form: there a number rounds as every reader of JSON rounds it. */
const FREE_FORM: ReadonlySet<string> = new Set(["properties", "attr", "attributes"]);

/** Names of members; a set of them, or all there are. */
export type MemberNames = Pick<ReadonlySet<string>, "has" | "size">;

/** Every number keeps its digits, but in free-form members: partners' ids have 64 bits. */
export const everyMember: MemberNames = { has: () => true, size: Number.POSITIVE_INFINITY };

/** A number of more digits than a double holds, until it is known whether its place is a decimal's. */
class ExactNumber {
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }
}

/**
 * Parses JSON so that decimals keep every digit: a number too long for a double, in one of the members named, becomes the
 * string of its digits. Texts without a long run of digits, almost all of them, are parsed as they are.
 * @throws SyntaxError for what is no JSON.
 */
export function parseExact(text: string, decimalMembers: MemberNames): unknown {
  const plain: unknown = JSON.parse(text);
  // With a reviver JSON.parse recurses: it is kept from what nests deeper than any body may, which the door refuses.
  if (decimalMembers.size === 0 || !MANY_DIGITS.test(text) || isDeeperThan(plain, LEVELS_MAX)) return plain;
  const revived: unknown = JSON.parse(text, (name, value: unknown, { source }: { source?: string } = {}) => {
    if (typeof value === "number" && source !== undefined && decimalMembers.has(name) && MANY_DIGITS.test(source)) {
      return new ExactNumber(source);
    }
    return FREE_FORM.has(name) ? replaceExact(value, (exact) => Number(exact.source)) : value;
  });
  return replaceExact(revived, (exact) => exact.source.replace(/\.0+$/, ""));
}

/** The 64 levels of an item, and those of a batch around it. */
const LEVELS_MAX = 66;

/** Replaces in place, in a value whose nesting is bounded. */
function replaceExact(value: unknown, replace: (exact: ExactNumber) => unknown): unknown {
  if (value instanceof ExactNumber) return replace(value);
  if (typeof value !== "object" || value === null) return value;
  for (const [name, inner] of Object.entries(value)) {
    if (typeof inner === "object" && inner !== null) Reflect.set(value, name, replaceExact(inner, replace));
  }
  return value;
}
