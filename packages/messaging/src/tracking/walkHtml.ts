import type { Sliced } from "@headwater/kernel";
import { QuoteType, Tokenizer } from "htmlparser2";

/** An `href` of rendered HTML, by the place of its value. */
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

const LINK_ELEMENTS = new Set(["a", "area"]);
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
  readonly oncomment = ignore;
  readonly ondeclaration = ignore;
  readonly onend = ignore;
  readonly onprocessinginstruction = ignore;
  readonly ontext = ignore;
  readonly ontextentity = ignore;
  readonly #html: string;
  readonly #linksMax: number;
  /** Attributes of the link whose tag is open, by name; the first of a name counts, as in browsers. */
  #attributes: Map<string, ReadAttribute> | undefined;
  #name = "";
  #nameEnd = 0;
  #value = "";

  constructor(html: string, linksMax: number) {
    this.#html = html;
    this.#linksMax = linksMax;
  }

  onopentagname(start: number, end: number): void {
    const isShort = end - start <= "area".length;
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
