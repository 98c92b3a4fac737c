import { compile } from "html-to-text";
import { messageLimits } from "../limits.ts";

const toText = compile({
  wordwrap: false,
  limits: { maxInputLength: 2 * messageLimits.renderedBytes, maxDepth: 200 },
  selectors: [
    { selector: "img", format: "skip" },
    { selector: "a", options: { hideLinkHrefIfSameAsText: true, noAnchorUrl: true } },
    ...["h1", "h2", "h3", "h4", "h5", "h6"].map((selector) => ({ selector, options: { uppercase: false } })),
  ],
});

/** Returns the plain text of rendered HTML, for readers that show none. */
export function makeText(html: string): string {
  return toText(html).trim();
}
