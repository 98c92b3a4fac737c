import { inline } from "@css-inline/css-inline";
import { holdLiquid } from "./holdLiquid.ts";

/** Limit of selectors times elements: each is compared with each, and nothing can end that. */
const COMPARISONS_MAX = 40_000_000;

/** Writes the rules of `<style>` into the elements; media queries and the like stay where they are. @throws Error for too many rules. */
export function inlineCss(html: string): string {
  if (!/<style[\s>]/i.test(html)) return html;
  const held = holdLiquid(html);
  const rules = [...held.text.matchAll(/<style[\s\S]*?<\/style/gi)].join("").split(/[{,]/).length;
  if (rules * held.text.split("<").length > COMPARISONS_MAX) throw new Error("The content has too many style rules.");
  const inlined = inline(held.text, {
    loadRemoteStylesheets: false,
    inlineStyleTags: true,
    keepStyleTags: false,
    keepAtRules: true,
    keepLinkTags: true,
  });
  return held.release(/<tbody/i.test(html) ? inlined : withLoopsInBodies(inlined));
}

/** The parser puts rows into a body, and what stands before the first row would stay outside of it: a loop would open a body each time. */
function withLoopsInBodies(html: string): string {
  return html.replaceAll(/((?:<!--hwlq\w+-->\s*)+)<tbody>/g, "<tbody>$1");
}
