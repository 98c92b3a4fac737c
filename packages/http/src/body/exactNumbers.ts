import { JsonScan, type ScanRules } from "./jsonScan.ts";

/** More digits in a row than a double keeps, a decimal point among them or not. */
const MANY_DIGITS = /\d(?:\.?\d){15}/;
const DIGITS_MANY = 16;
/** Members whose own members are free-form: there a number rounds as every reader of JSON rounds it. */
const FREE_FORM: ReadonlySet<string> = new Set(["properties", "attr", "attributes"]);

/** @returns true for a member whose own members are the sender's: their numbers round. */
export function isFreeForm(name: string): boolean {
  return FREE_FORM.has(name);
}

/** Names of members; a set of them, or all there are. */
export type MemberNames = Pick<ReadonlySet<string>, "has" | "size">;
/** Every number keeps its digits, but in free-form members: partners' ids have 64 bits. */
export const everyMember: MemberNames = { has: () => true, size: Number.POSITIVE_INFINITY };

/**
 * Parses JSON so that decimals keep every digit: a number too long for a double, in one of the members named, becomes the
 * string of its digits. Texts without a long run of digits, almost all of them, are parsed as they are; in the others the
 * long numbers are quoted in one pass, so that the cost is linear whatever stands around them.
 * @throws SyntaxError for what is no JSON.
 */
export function parseExact(text: string, decimalMembers: MemberNames): unknown {
  const isPlain = decimalMembers.size === 0 || !MANY_DIGITS.test(text);
  return JSON.parse(isPlain ? text : quoteLongNumbers(text, decimalMembers));
}

/** A number as JSON writes it: what is none must not become a string, and so be JSON. */
const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

const rules: ScanRules = {
  // The 64 levels of an item, and those of a batch around it. What nests deeper is refused, and needs no digits.
  levelsMax: 66,
  numberLengthMin: DIGITS_MANY,
  isSkipped: isFreeForm,
};

/** The same text, with every long number of a decimal member as a string. */
function quoteLongNumbers(text: string, decimalMembers: MemberNames): string {
  const scan = new JsonScan(text, rules);
  const parts: string[] = [];
  let from = 0;
  for (let value = scan.next(); value !== undefined; value = scan.next()) {
    const { kind, start, end, levels } = value;
    if (kind !== "number" || !decimalMembers.has(levels.at(-1)?.name ?? "")) continue;
    const source = text.slice(start, end);
    if (!MANY_DIGITS.test(source) || !JSON_NUMBER.test(source)) continue;
    parts.push(text.slice(from, start), '"', source.replace(/\.0+$/, ""), '"');
    from = end;
  }
  if (from === 0) return text;
  parts.push(text.slice(from));
  return parts.join("");
}
