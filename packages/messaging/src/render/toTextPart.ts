import { compile, type FormatCallback, type HtmlToTextOptions, type SelectorDefinition } from "html-to-text";
import { Parser } from "htmlparser2";
import { messageLimits } from "../limits.ts";

/** Path of an address in a text that was made from HTML. */
export interface TextLink {
  readonly start: number;
  readonly end: number;
}

export interface TextPart {
  readonly text: string;
  /** Addresses of the web in their order in the text. */
  readonly links: readonly TextLink[];
}

/** Noncharacters around an address: no text that is meant for others has them. */
const START = "\uFDD0";
const END = "\uFDD1";
const MARKED = /\uFDD0(https?:[^\s\uFDD0\uFDD1]*)\uFDD1/gi;
const MARK = /[\uFDD0\uFDD1]/g;
const WEB = /^https?:/i;
/** Browsers drop them from addresses. */
const LINE_ENDS = /[\t\r\n]/g;

/** Writes a link as html-to-text does, `text [address]`, and marks its address, which has no whitespace. */
const formatLink: FormatCallback = (elem, walk, builder) => {
  const href = String(elem.attribs?.href ?? "").replace(/^mailto:/, "");
  if (href === "" || href.startsWith("#")) return walk(elem.children, builder);
  let text = "";
  builder.pushWordTransform((word) => {
    text += word.replaceAll(MARK, "");
    return word === href ? marked(word) : word;
  });
  walk(elem.children, builder);
  builder.popWordTransform();
  if (text === href) return;
  const address = marked(href);
  builder.addInline(text === "" ? address : ` [${address}]`, { noWordTransform: true });
};

function marked(href: string): string {
  const address = href.trim().replaceAll(LINE_ENDS, "");
  return WEB.test(address) ? START + address.replaceAll(/\s/g, encodeURIComponent) + END : href;
}

/** Sets a cell apart from the next one. What stands in it as a block has lines of its own. */
const formatCell: FormatCallback = (elem, walk, builder) => {
  builder.addInline(" ");
  walk(elem.children, builder);
  builder.addInline(" ");
};

/** Shows an image by the words that stand for it; one that only decorates has none. */
const formatImage: FormatCallback = (elem, _walk, builder) => {
  const words = String(elem.attribs?.alt ?? "").trim();
  if (words !== "") builder.addInline(words);
};

const fallback: HtmlToTextOptions = {
  wordwrap: false,
  limits: { maxInputLength: 2 * messageLimits.renderedBytes, maxDepth: 200 },
};
const selectors: SelectorDefinition[] = [
  { selector: "img", format: "words" },
  // Content without a body may have its title among its text.
  { selector: "title", format: "skip" },
  { selector: "tr", format: "block", options: { leadingLineBreaks: 1, trailingLineBreaks: 1 } },
  ...["td", "th"].map((selector) => ({ selector, format: "cell" })),
  ...["h1", "h2", "h3", "h4", "h5", "h6"].map((selector) => ({ selector, options: { uppercase: false } })),
];
const plainLink = { selector: "a", options: { hideLinkHrefIfSameAsText: true, noAnchorUrl: true } };
const markedLink = { selector: "a", format: "link" };
const formatters = { cell: formatCell, link: formatLink, words: formatImage };
const toPlain = compile({ ...fallback, selectors: [...selectors, plainLink], formatters });
const toMarked = compile({ ...fallback, selectors: [...selectors, markedLink], formatters });

/** Returns the plain text of rendered HTML, for readers that show none: rows on lines, images by their `alt`, links by their addresses. */
export function toTextPart(html: string): TextPart {
  const created = withoutMarks(toMarked(html).trim()) ?? { text: toPlain(html).trim(), links: [] };
  return created.text === "" ? { text: textOfImages(html), links: [] } : created;
}

const IMAGES_NAMED = 20;

/** Returns the title of a mail that has no words, else the addresses of its images. */
function textOfImages(html: string): string {
  const images: string[] = [];
  let title = "";
  let isTitle = false;
  const parser = new Parser({
    onopentag(name, { src = "" }) {
      isTitle = name === "title";
      if (name === "img" && WEB.test(src) && images.length < IMAGES_NAMED)
        images.push(src.trim().replaceAll(/\s/g, ""));
    },
    ontext(text) {
      if (isTitle) title += text;
    },
    onclosetag() {
      isTitle = false;
    },
  });
  parser.end(html);
  return title.replaceAll(/\s+/g, " ").trim() || [...new Set(images)].join("\n");
}

/** Takes the marks out. @returns undefined where the HTML has such characters itself. */
function withoutMarks(text: string): TextPart | undefined {
  const links: TextLink[] = [];
  const pieces: string[] = [];
  let [at, length] = [0, 0];
  for (const { 0: whole, 1: address = "", index } of text.matchAll(MARKED)) {
    const before = text.slice(at, index);
    const start = length + before.length;
    length = start + address.length;
    pieces.push(before, address);
    links.push({ start, end: length });
    at = index + whole.length;
  }
  const bare = [...pieces, text.slice(at)].join("");
  return bare.search(MARK) < 0 ? { text: bare, links } : undefined;
}
