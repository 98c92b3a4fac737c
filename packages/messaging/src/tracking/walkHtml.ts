import type { Sliced } from "@headwater/kernel";
import { QuoteType, Tokenizer } from "htmlparser2";

/** An `href` of rendered HTML, by the position of its value. */
export interface FoundLink {
  /** Offsets of the value as it stands, without its quotes. */
  readonly start: number;
  readonly end: number;
  /** The value with its entities decoded. */
  readonly href: string;
  /** Value of `data-name`. */
  readonly name: string | undefined;
  /** `data-track="off"`. */
  readonly isLeft: boolean;
}

export interface WalkedHtml {
  readonly links: readonly FoundLink[];
  /** Offset of the last `</body>`, else the length. */
  readonly bodyEnd: number;
}

/** Links of HTML, and the shapes of VML that buttons for Outlook are made of. */
const LINK_ELEMENTS = new Set(["a", "area", "v:roundrect", "v:rect", "v:shape", "v:oval", "v:group"]);
const LINK_ELEMENT_CHARACTERS = Math.max(...[...LINK_ELEMENTS].map((name) => name.length));
/** Beginning of a comment whose content Outlook shows: `<!--[if mso]>`. */
const CONDITION = /^\s*\[if\b/i;
const CONDITION_CHARACTERS = 32;
const READ_ATTRIBUTES = new Set(["href", "data-track", "data-name"]);
const CLOSING_START = "</".length;
const WHITESPACE = /\s/;
/** Characters that are read between two yields: a few milliseconds, whatever they are. */
const CHUNK_CHARACTERS = 64 * 1024;

interface ReadAttribute {
  readonly start: number;
  readonly end: number;
  readonly value: string;
}

/**
 * Finds links in one pass over the tokens of HTML: no tree is built, so depth costs nothing.
 * @param linksMax limit of the links that are returned.
 */
export function* walkHtml(html: string, linksMax: number): Sliced<WalkedHtml> {
  const walk = new HtmlWalk(html, linksMax);
  const tokenizer = new Tokenizer({ decodeEntities: true }, walk);
  for (let start = 0; start < html.length; start += CHUNK_CHARACTERS) {
    tokenizer.write(html.slice(start, start + CHUNK_CHARACTERS));
    yield;
  }
  tokenizer.end();
  return { links: walk.links, bodyEnd: walk.bodyEnd ?? html.length };
}

const ignore = () => undefined;

/** Collects what the tokenizer calls out. */
class HtmlWalk {
  readonly links: FoundLink[] = [];
  bodyEnd: number | undefined;
  readonly oncdata = ignore;
  readonly ondeclaration = ignore;
  readonly onend = ignore;
  readonly onprocessinginstruction = ignore;
  readonly ontext = ignore;
  readonly ontextentity = ignore;
  readonly #html: string;
  readonly #linksMax: number;
  readonly #isInComment: boolean;
  /** Attributes of the link whose tag is open, by name; the first of a name counts, as in browsers. */
  #attributes: Map<string, ReadAttribute> | undefined;
  #name = "";
  #nameEnd = 0;
  #value = "";

  constructor(html: string, linksMax: number, isInComment = false) {
    this.#html = html;
    this.#linksMax = linksMax;
    this.#isInComment = isInComment;
  }

  /** Finds the links of a comment that Outlook takes for HTML. Comments in it are none. */
  oncomment(start: number, end: number, endCharacters: number): void {
    const text = this.#html.slice(start, end - endCharacters);
    const linksMax = this.#linksMax - this.links.length;
    if (this.#isInComment || linksMax <= 0 || !CONDITION.test(text.slice(0, CONDITION_CHARACTERS))) return;
    const walk = new HtmlWalk(text, linksMax, true);
    const tokenizer = new Tokenizer({ decodeEntities: true }, walk);
    tokenizer.write(text);
    tokenizer.end();
    for (const link of walk.links) this.links.push({ ...link, start: link.start + start, end: link.end + start });
  }

  onopentagname(start: number, end: number): void {
    const isShort = end - start <= LINK_ELEMENT_CHARACTERS;
    const isLink = isShort && LINK_ELEMENTS.has(this.#html.slice(start, end).toLowerCase());
    this.#attributes = isLink && this.links.length < this.#linksMax ? new Map() : undefined;
  }

  onattribname(start: number, end: number): void {
    if (this.#attributes === undefined) return;
    this.#name = this.#html.slice(start, end).toLowerCase();
    this.#nameEnd = end;
    this.#value = "";
  }

  onattribdata(start: number, end: number): void {
    if (this.#isRead()) this.#value += this.#html.slice(start, end);
  }

  onattribentity(codepoint: number): void {
    if (this.#isRead()) this.#value += String.fromCodePoint(codepoint);
  }

  onattribend(quote: QuoteType, end: number): void {
    const attributes = this.#attributes;
    if (attributes === undefined || quote === QuoteType.NoValue || !this.#isRead() || attributes.has(this.#name))
      return;
    const valueEnd = quote === QuoteType.Unquoted ? end : end - 1;
    attributes.set(this.#name, { start: this.#valueStart(), end: valueEnd, value: this.#value });
  }

  onopentagend(): void {
    this.#endTag();
  }

  onselfclosingtag(): void {
    this.#endTag();
  }

  onclosetag(start: number, end: number): void {
    if (end - start === "body".length && this.#html.slice(start, end).toLowerCase() === "body") {
      this.bodyEnd = start - CLOSING_START;
    }
  }

  #isRead(): boolean {
    return this.#attributes !== undefined && READ_ATTRIBUTES.has(this.#name);
  }

  #valueStart(): number {
    let at = this.#skipSpace(this.#nameEnd);
    if (this.#html[at] === "=") at = this.#skipSpace(at + 1);
    const quote = this.#html[at];
    return quote === '"' || quote === "'" ? at + 1 : at;
  }

  #skipSpace(from: number): number {
    let at = from;
    while (WHITESPACE.test(this.#html[at] ?? "")) at += 1;
    return at;
  }

  #endTag(): void {
    const href = this.#attributes?.get("href");
    const track = this.#attributes?.get("data-track")?.value.trim().toLowerCase();
    const name = this.#attributes?.get("data-name")?.value.trim();
    this.#attributes = undefined;
    if (href === undefined) return;
    this.links.push({
      start: href.start,
      end: href.end,
      href: href.value,
      name: name === "" ? undefined : name,
      isLeft: track === "off",
    });
  }
}
