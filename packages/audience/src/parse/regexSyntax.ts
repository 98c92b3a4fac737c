/**
 * Finds what RE2 would refuse in a regular expression, or undefined. It covers what people bring from other dialects
 * (look-around, back references) and what is broken in every dialect; the store has the last word.
 */
export function regexProblem(source: string): string | undefined {
  for (const [pattern, problem] of UNSUPPORTED) {
    if (pattern.test(withoutClasses(source))) return problem;
  }
  const counts = [...source.matchAll(/\{(\d+)(?:,(\d*))?\}/g)].flatMap((match) => [match[1], match[2]]);
  if (counts.some((count) => Number(count ?? 0) > REPEATS_MAX)) return `a repeat count may be at most ${REPEATS_MAX}`;
  return syntaxProblem(source);
}

const REPEATS_MAX = 1_000;

const UNSUPPORTED: readonly (readonly [RegExp, string])[] = [
  [/(?<!\\)(?:\\\\)*\(\?<?[=!]/, "look-ahead and look-behind are not supported"],
  [/(?<!\\)(?:\\\\)*\(\?>/, "atomic groups are not supported"],
  [/(?<!\\)(?:\\\\)*\\(?:[1-9]|k<)/, "back references are not supported"],
  [/[*+?}]\+/, "possessive quantifiers are not supported"],
];

function withoutClasses(source: string): string {
  return source.replace(/\\[\s\S]|\[\^?\]?(?:\\[\s\S]|[^\]\\])*\]/g, (part) => (part.startsWith("[") ? "[]" : part));
}

/** Tries the expression in this language once the parts that only RE2 has are written in its way. */
function syntaxProblem(source: string): string | undefined {
  const translated = source
    .replace(/\(\?P</g, "(?<")
    .replace(/^\(\?[a-zA-Z-]+\)/, "")
    .replace(/\(\?[imsU-]+:/g, "(?:")
    .replace(/\(\?[imsU-]+\)/g, "")
    .replace(/\\[AzQECpP]/g, "x")
    .replace(/\[:\^?[a-z]+:\]/g, "x");
  try {
    new RegExp(translated);
    return undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return error.message.replace(/^Invalid regular expression: /, "");
    throw error;
  }
}
