import ts from "typescript";
import type { ProjectFile } from "./repository.ts";

/** A regular expression in the code. */
export interface FoundRegex {
  readonly path: string;
  readonly line: number;
  readonly source: string;
  readonly flags: string;
}

/** An expression that is put together when the code runs. */
export interface BuiltRegex {
  readonly path: string;
  readonly line: number;
  readonly code: string;
}

/** Finds the regular expressions of a file in its syntax tree. */
export function regexesIn({ path, text }: ProjectFile): { written: FoundRegex[]; built: BuiltRegex[] } {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const written: FoundRegex[] = [];
  const built: BuiltRegex[] = [];
  const visit = (node: ts.Node): void => {
    const line = file.getLineAndCharacterOfPosition(node.getStart()).line + 1;
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf("/");
      written.push({ path, line, source: node.text.slice(1, end), flags: node.text.slice(end + 1) });
    }
    const isCall = ts.isNewExpression(node) || ts.isCallExpression(node);
    if (isCall && node.expression.getText() === "RegExp") built.push({ path, line, code: node.getText() });
    ts.forEachChild(node, visit);
  };
  visit(file);
  return { written, built };
}

/** Repeats up to so often, such as those of the digits of a fraction, are followed one by one; more are taken for any number. */
const REPEATS_MAX = 9;

interface Sign {
  readonly text: string;
  readonly kind: "escape" | "class" | "repeat" | "other";
}

function signsOf(source: string): Sign[] {
  const signs = source.match(
    /\\[pP]\{[^{}]*\}|\\u\{[^{}]*\}|\\x[\dA-Fa-f]{2}|\\u[\dA-Fa-f]{4}|\\k<[^<>]*>|\\[\s\S]|\(\?<[A-Za-z]\w*>|\[|\]|\{\d+(?:,\d*)?\}|[\s\S]/g,
  );
  let isInClass = false;
  return (signs ?? []).map((text) => {
    if (text.startsWith("\\")) return { text, kind: "escape" };
    if (text === "[" && !isInClass) isInClass = true;
    else if (text === "]") isInClass = false;
    if (isInClass) return { text, kind: "class" };
    return { text, kind: /^\{\d/.test(text) ? "repeat" : "other" };
  });
}

/** Words of so many letters are shortened to the first one: with fewer letters an expression is more ambiguous, never less. */
const WORD_LETTERS_MIN = 3;
const LETTER = /^[A-Za-z]$/;
const QUANTIFIER = /^[*+?]$/;

function shortened(signs: readonly Sign[]): Sign[] {
  const stored: Sign[] = [];
  let word: Sign[] = [];
  for (const [index, sign] of signs.entries()) {
    const next = signs[index + 1];
    const isRepeated = next !== undefined && (next.kind === "repeat" || QUANTIFIER.test(next.text));
    const isOfWord = sign.kind === "other" && LETTER.test(sign.text) && !isRepeated;
    if (isOfWord) word.push(sign);
    if (isOfWord && next !== undefined) continue;
    stored.push(...(word.length >= WORD_LETTERS_MIN ? word.slice(0, 1) : word));
    word = [];
    if (!isOfWord) stored.push(sign);
  }
  return stored;
}

/**
 * Returns an expression that is at least as slow as the given one and quicker to validate: long repeats have no end, words have one letter,
 * and letters of expressions that ignore case are small.
 */
export function simplified({ source, flags }: Pick<FoundRegex, "source" | "flags">): { source: string; flags: string } {
  const ignoresCase = flags.includes("i");
  const signs = shortened(signsOf(source)).map(({ text, kind }) => {
    if (kind === "repeat") {
      const [least = 0, most = least] = text
        .slice(1, -1)
        .split(",")
        .map((count) => (count === "" ? Number.POSITIVE_INFINITY : Number(count)));
      if (Math.max(least, most) > REPEATS_MAX) return least === 0 ? "*" : "+";
    }
    const isLetter = (kind === "class" || kind === "other") && text.length === 1;
    return ignoresCase && isLetter ? text.toLowerCase() : text;
  });
  return { source: signs.join(""), flags: flags.replace(/[igy]/g, "") };
}

/** Returns whether an expression repeats something without end; one that does not takes no longer for a longer text at one position. */
export function isEndless(source: string): boolean {
  return signsOf(source).some(({ text, kind }) => {
    return (kind === "other" && (text === "*" || text === "+")) || (kind === "repeat" && text.endsWith(",}"));
  });
}
