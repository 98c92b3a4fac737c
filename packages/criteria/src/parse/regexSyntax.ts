/**
 * Finds what RE2 would refuse in a regular expression, or undefined. It covers what people bring from other dialects
 * (look-around, back references) and what is broken in every dialect; the store has the last word.
 */
export function regexProblem(source: string): string | undefined {
  const literals = [...source.matchAll(LITERALS)].map(([literal]) => literal);
  if (literals.some((literal) => BACK_REFERENCE.test(literal))) return "back references are not supported";
  if (literals.some(hasTurnedRange)) return "a range of characters is in the wrong order";
  const bare = source.replaceAll(LITERALS, "x");
  const unsupported = UNSUPPORTED.find(([pattern]) => pattern.test(bare));
  if (unsupported !== undefined) return unsupported[1];
  const counts = [...bare.matchAll(/\{(\d+)(?:,(\d*))?\}/g)].flatMap((match) => [match[1], match[2]]);
  if (counts.some((count) => Number(count ?? 0) > REPEATS_MAX)) return `a repeat count may be at most ${REPEATS_MAX}`;
  return syntaxProblem(bare);
}

const REPEATS_MAX = 1_000;

/** Quoted texts, escapes (of properties, code points and octal codes too) and classes: their signs mean themselves. */
const LITERALS =
  /\\Q[\s\S]*?(?:\\E|$)|\\[pPx]\{[^}]*\}|\\[0-7]{1,3}|\\[\s\S]|\[\^?\]?(?:\[:\^?[a-z]+:\]|\\[\s\S]|[^\]\\])*\]/g;

/** Two digits more or less are an octal code. */
const BACK_REFERENCE = /^\\[1-9k]$/;

/** Signs of an expression without its literals. */
const UNSUPPORTED: readonly (readonly [RegExp, string])[] = [
  [/\(\?<?[=!]/, "look-ahead and look-behind are not supported"],
  [/\(\?>/, "atomic groups are not supported"],
  [/(?:[*+?]|\{\d+(?:,\d*)?\})\+/, "possessive quantifiers are not supported"],
];

/** Tells whether a class without escapes has a range whose end comes before its beginning. */
function hasTurnedRange(literal: string): boolean {
  if (!literal.startsWith("[") || /\\|\[:/.test(literal)) return false;
  const ranges = literal
    .replace(/^\[\^?/, "")
    .slice(0, -1)
    .matchAll(/([\s\S])-([\s\S])/gu);
  return [...ranges].some(([, low = "", high = ""]) => (low.codePointAt(0) ?? 0) > (high.codePointAt(0) ?? 0));
}

/** Tries an expression without its literals in this language once the parts that only RE2 has are written in its way. */
function syntaxProblem(bare: string): string | undefined {
  const translated = bare
    .replaceAll("(?P<", "(?<")
    .replaceAll(/\(\?[imsU-]+\)/g, "")
    .replaceAll(/\(\?[imsU-]+:/g, "(?:")
    .replaceAll(/[$^]/g, "x");
  try {
    new RegExp(translated);
    return undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return error.message.replace(/^Invalid regular expression: (?:\/.*\/: )?/s, "");
    throw error;
  }
}
