import { inline } from "@css-inline/css-inline";
import { type HeldText, holdLiquid } from "./holdLiquid.ts";

/** Limit of selectors times elements: each is compared with each, and nothing can end that. */
const COMPARISONS_MAX = 40_000_000;
/** Attribute that numbers the style elements while they are inlined. */
const NUMBER = "data-hw-style";
const STYLE_OR_COMMENT = /<!--[\s\S]*?-->|<style([^>]*)>([\s\S]*?)<\/style\s*>/gi;
/** Attribute of elements whose own style has `!important`. */
const OWN_IMPORTANT = 'data-hw-important=""';
const STYLED = / (data-hw-important="" )?style="([^"]*)"/g;
/** Attribute of the bodies of tables that the content has itself. */
const OWN_BODY = 'data-hw-body=""';
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
  const own = withOwnMarked(held.text);
  const numbered = own.replaceAll(STYLE_OR_COMMENT, (element, attributes?: string, css?: string) => {
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
  const overridden = propertiesInAtRules(styles);
  return held.release(withLoopsInBodies(withoutImportant(withRulesLeft(inlined, styles, held), overridden)));
}

/** Marks what the content has itself: bodies of tables, and styles with `!important`. */
function withOwnMarked(html: string): string {
  return html
    .replaceAll(/<tbody(?=[\s>])/gi, `<tbody ${OWN_BODY}`)
    .replaceAll(/ style=(?="[^"]*!important|'[^']*!important)/gi, ` ${OWN_IMPORTANT} style=`);
}

/** Returns the properties that at-rules such as media queries set. */
function propertiesInAtRules(styles: readonly string[]): ReadonlySet<string> {
  const properties = new Set<string>();
  for (const css of styles) {
    // Rules in an at-rule stand two levels deep: `@media … { a { color: red } }`.
    let depth = 0;
    let isAtRule = false;
    for (const piece of css.split(/(?<=[{};])/)) {
      if (depth === 0) isAtRule = piece.trimStart().startsWith("@");
      const [name = ""] = piece.split(":");
      if (isAtRule && depth > 0 && !piece.endsWith("{")) properties.add(name.trim().toLowerCase());
      if (piece.endsWith("{")) depth += 1;
      else if (piece.endsWith("}")) depth = Math.max(0, depth - 1);
    }
  }
  return properties;
}

/**
 * Takes `!important` out of what was written into an element where an at-rule sets the same property: what stands in the element would win over
 * the at-rule, which wins over a style sheet that it follows.
 */
function withoutImportant(html: string, overridden: ReadonlySet<string>): string {
  if (overridden.size === 0) return html.replaceAll(` ${OWN_IMPORTANT}`, "");
  return html.replaceAll(STYLED, (whole, own: string | undefined, style: string) => {
    if (own !== undefined) return whole.replace(` ${OWN_IMPORTANT}`, "");
    const declarations = style.split(";").map((declaration) => {
      const [name = ""] = declaration.split(":");
      return isOverridden(name.trim().toLowerCase(), overridden)
        ? declaration.replace(/\s*!important/i, "")
        : declaration;
    });
    return ` style="${declarations.join(";")}"`;
  });
}

/** A property is also set by its shorthand, and by what it is a shorthand of. */
function isOverridden(name: string, overridden: ReadonlySet<string>): boolean {
  return [...overridden].some(
    (other) => other === name || other.startsWith(`${name}-`) || name.startsWith(`${other}-`),
  );
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
  // Marks that no body follows are matched as well: the search does not begin again at each of them.
  const marksAndBody = /((?:<!--hwlq\w+-->\s*)+)(<tbody>)?/g;
  return html
    .replaceAll(marksAndBody, (_run, marks: string, body: string = "") => body + marks)
    .replaceAll(` ${OWN_BODY}`, "");
}
