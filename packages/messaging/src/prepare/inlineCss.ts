import { inline } from "@css-inline/css-inline";
import { type HeldText, holdLiquid } from "./holdLiquid.ts";

/** Limit of selectors times elements: each is compared with each, and nothing can end that. */
const COMPARISONS_MAX = 40_000_000;
/** Attribute that numbers the style elements while they are inlined. */
const NUMBER = "data-hw-style";
const STYLE_OR_COMMENT = /<!--[\s\S]*?-->|<style([^>]*)>([\s\S]*?)<\/style\s*>/gi;
const NUMBERED = new RegExp(` ${NUMBER}="(\\d+)"`);
/** Rules that count only before all others. */
const FIRST_RULES = /^\s*@(charset|import|layer|namespace)\b/i;

/**
 * Writes the rules of `<style>` into the elements. Media queries and the like stay in `<style>`, and so do rules that no element can take:
 * those of `:hover` and `::before`, and of what is in the content only once it is rendered. @throws Error for too many rules.
 */
export function inlineCss(html: string): string {
  if (!/<style[\s>]/i.test(html)) return html;
  const held = holdLiquid(html);
  const rules = [...held.text.matchAll(/<style[\s\S]*?<\/style/gi)].join("").split(/[{,]/).length;
  if (rules * held.text.split("<").length > COMPARISONS_MAX) throw new Error("The content has too many style rules.");
  const styles: string[] = [];
  const numbered = held.text.replaceAll(STYLE_OR_COMMENT, (element, attributes?: string, css?: string) => {
    if (attributes === undefined || css === undefined) return element;
    return `<style${attributes} ${NUMBER}="${styles.push(css) - 1}">${css}</style>`;
  });
  const inlined = inline(numbered, {
    loadRemoteStylesheets: false,
    inlineStyleTags: true,
    keepStyleTags: true,
    removeInlinedSelectors: true,
    keepAtRules: true,
    keepLinkTags: true,
  });
  const kept = withRulesLeft(inlined, styles, held);
  return held.release(/<tbody/i.test(html) ? kept : withLoopsInBodies(kept));
}

/** Puts what is left of the style elements in order: empty ones go, and at-rules stand behind the rules that they override. */
function withRulesLeft(html: string, styles: readonly string[], held: HeldText): string {
  const elements = [...html.matchAll(STYLE_OR_COMMENT)].filter(([, attributes]) => attributes !== undefined);
  const atRules = elements.find(([, attributes = ""]) => attributes === "")?.[0] ?? "";
  const [, lastLeft] = elements.findLast(([, attributes, css = ""]) => attributes !== "" && isLeft(css)) ?? [];
  const last = NUMBERED.exec(lastLeft ?? "")?.[1];
  const movesBehind = FIRST_RULES.test(atRules.slice("<style>".length)) ? undefined : last;
  return html.replaceAll(STYLE_OR_COMMENT, (element, attributes?: string, css = "") => {
    if (attributes === undefined) return element;
    const number = NUMBERED.exec(attributes)?.[1];
    if (number === undefined) return movesBehind === undefined ? element : "";
    if (!isLeft(css)) return "";
    const rest = holdsTags(css, held) ? styles[Number(number)] : css;
    return `<style${attributes.replace(NUMBERED, "")}>${rest}</style>${number === movesBehind ? atRules : ""}`;
  });
}

function isLeft(css: string): boolean {
  return css.trim() !== "";
}

/** Returns whether CSS holds tags of Liquid: they stay where they are only in the style as it was written. */
function holdsTags(css: string, held: HeldText): boolean {
  return held.release(css).includes("{%");
}

/** The parser puts rows into a body, and what stands before the first row would stay outside of it: a loop would open a body each time. */
function withLoopsInBodies(html: string): string {
  return html.replaceAll(/((?:<!--hwlq\w+-->\s*)+)<tbody>/g, "<tbody>$1");
}
