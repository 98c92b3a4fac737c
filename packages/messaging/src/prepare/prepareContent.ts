import { Parser } from "htmlparser2";
import { messageLimits } from "../limits.ts";
import { checkLiquid } from "../liquid/checkLiquid.ts";
import type { Mistake, Mistakes } from "../liquid/mistakes.ts";
import { positionOf } from "../liquid/mistakes.ts";
import { inlineCss } from "./inlineCss.ts";
import { checkMjml, compileMjml, holdMjml } from "./mjml.ts";

const STYLE = /<style[^>]{0,1000}>([\s\S]*?)<\/style/gi;

/** One text of a message that holds Liquid. */
export interface ContentPart {
  /** JSON pointer in the body. */
  readonly path: string;
  readonly text: string;
  readonly kind: "plain" | "html" | "mjml";
}

export interface PartMistake extends Mistake {
  readonly path: string;
}

/** An include that a part names. */
export interface PartInclude {
  readonly path: string;
  readonly key: string;
  readonly line: number;
  readonly column: number;
}

export interface PreparedContent {
  /** Mistakes in order of parts and paths; empty when the content can be stored. */
  readonly mistakes: readonly PartMistake[];
  readonly includes: readonly PartInclude[];
  /** HTML to render for each contact: MJML compiled, CSS inlined. */
  readonly html: string | undefined;
}

/** Checks the texts of a message and makes of them what is rendered for each contact. */
export async function prepareContent(parts: readonly ContentPart[]): Promise<PreparedContent> {
  const mistakes: PartMistake[] = [];
  const includes: PartInclude[] = [];
  let html: string | undefined;
  for (const { path, text, kind } of parts) {
    const tooLarge = kind === "plain" ? undefined : checkMarkup(text, kind);
    if (tooLarge !== undefined) {
      mistakes.push({ path, ...tooLarge });
      continue;
    }
    const checked = checkLiquid(text);
    includes.push(...checked.includes.map((include) => ({ path, ...include })));
    const created =
      kind === "mjml" ? await createdOfMjml(text, checked.mistakes) : createdOf(text, kind, checked.mistakes);
    if (created.html !== undefined) html = created.html;
    mistakes.push(...created.mistakes.map((mistake) => ({ path, ...mistake })));
  }
  return { mistakes, includes, html };
}

interface Created {
  /** Undefined for plain text, and for a text with mistakes. */
  readonly html?: string;
  readonly mistakes: readonly Mistake[];
}

function createdOf(text: string, kind: "plain" | "html", { all }: Mistakes): Created {
  return kind === "plain" || all.length > 0 ? { mistakes: all } : inlined(text);
}

/** Lists what is wrong with Liquid and MJML together; an element that is not closed would have the compiler find what is not there. */
async function createdOfMjml(text: string, { all }: Mistakes): Promise<Created> {
  const mjml = holdMjml(text);
  const { mistakes, isClosed } = checkMjml(mjml);
  const compiled = isClosed ? await compileMjml(mjml) : undefined;
  const found = [...all, ...mistakes, ...(compiled?.mistakes ?? [])];
  return compiled === undefined || found.length > 0 ? { mistakes: found.toSorted(byPath) } : inlined(compiled.html);
}

function byPath(one: Mistake, other: Mistake): number {
  return one.line - other.line || one.column - other.column;
}

function inlined(text: string): Created {
  try {
    const html = inlineCss(text);
    const { all } = checkLiquid(html).mistakes;
    return all.length > 0 ? { mistakes: all } : { html, mistakes: all };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { mistakes: [{ message: message.slice(0, 300), line: 1, column: 1 }] };
  }
}

/**
 * Counts elements, levels and style rules before anything expensive is done with them: compilers and inliners walk them by recursion, and
 * compare each selector with each element. Returns the first count that is too large.
 */
function checkMarkup(text: string, kind: "html" | "mjml"): Mistake | undefined {
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
