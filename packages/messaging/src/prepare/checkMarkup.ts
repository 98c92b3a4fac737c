import { Parser } from "htmlparser2";
import { messageLimits } from "../limits.ts";
import { type Mistake, positionOf } from "../liquid/mistakes.ts";

const STYLE = /<style[^>]{0,1000}>([\s\S]*?)<\/style/gi;

/**
 * Counts elements, levels and style rules before anything expensive is done with them: compilers and inliners walk them by recursion, and
 * compare each selector with each element. Returns the first count that is too large.
 */
export function checkMarkup(text: string, kind: "html" | "mjml"): Mistake | undefined {
  return mistakeOfElements(text, kind) ?? mistakeOfRules(text);
}

function mistakeOfElements(text: string, kind: "html" | "mjml"): Mistake | undefined {
  const { elements, elementLevels } = messageLimits;
  let found: Mistake | undefined;
  let count = 0;
  let level = 0;
  const add = (message: string) => {
    found ??= { message, ...positionOf(text, parser.startIndex) };
    parser.pause();
  };
  const parser = new Parser(
    {
      onopentagname() {
        count += 1;
        level += 1;
        if (count > elements) add(`A content has at most ${elements} elements.`);
        else if (level > elementLevels) add(`Elements are nested at most ${elementLevels} levels deep.`);
      },
      onclosetag() {
        level -= 1;
      },
    },
    { xmlMode: kind === "mjml", decodeEntities: false },
  );
  parser.end(text);
  return found;
}

function mistakeOfRules(text: string): Mistake | undefined {
  const { styleRules, selectorCharacters } = messageLimits;
  let count = 0;
  for (const { index, 1: css = "" } of text.matchAll(STYLE)) {
    for (const block of css.split("{").slice(0, -1)) {
      count += 1;
      if (count > styleRules)
        return { message: `A content has at most ${styleRules} style rules.`, ...positionOf(text, index) };
      const selectors = block.slice(block.lastIndexOf("}") + 1);
      if (selectors.split(",").some((one) => one.length > selectorCharacters))
        return { message: `A selector has at most ${selectorCharacters} characters.`, ...positionOf(text, index) };
    }
  }
  return undefined;
}
