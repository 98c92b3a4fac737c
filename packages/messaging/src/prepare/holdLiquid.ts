/** A text whose Liquid is held: each tag and output is replaced by a mark that HTML and CSS let stand. */
export interface HeldText {
  readonly text: string;
  readonly marks: readonly HeldMark[];
  /** Puts the Liquid back into what became of the text. */
  release(text: string): string;
  /** Returns the offset in the text as it was written. @param offset one in the held text. */
  writtenAt(offset: number): number;
}

/** A piece of Liquid that is held. */
export interface HeldMark {
  /** Stands in the held text; a number stands before it where MJML calculates. */
  readonly word: string;
  /** Offset in the text as it was written. */
  readonly at: number;
  /** Name of the attribute that it stands in. */
  readonly attribute: string | undefined;
  /** The attribute is a measure of MJML. */
  readonly isMeasure: boolean;
  /** It stands in a comment, among attributes, or among the defaults of MJML, where it may have no effect. */
  readonly mayVanish: boolean;
}

/** Kinds of text. In MJML a `<` that opens no element is held as well: its parser would see one. */
export type MarkupKind = "html" | "mjml";

const LIQUID =
  /\{%-?\s*raw\s*-?%\}[\s\S]*?\{%-?\s*endraw\s*-?%\}|\{%-?\s*comment\s*-?%\}[\s\S]*?\{%-?\s*endcomment\s*-?%\}|\{%[\s\S]*?%\}|\{\{[\s\S]*?\}\}/g;
/** Elements whose content is text, so that a comment in them would be shown. */
const TEXT_ELEMENTS =
  /^(title|textarea|style|script|xmp|noscript|iframe|mj-style|mj-title|mj-preview|mj-html-attribute)$/;
/** Attributes of MJML with a measure, which it may calculate with. */
const MEASURE = /width|height|size|padding|spacing|radius|border|^(?:left|right|top|bottom)$/;
/** Opens no element. */
const STRAY = /<(?![A-Za-z/!?])/g;
/** Returns a mark that the text does not hold already. */
function freeMark(text: string): string {
  for (let number = 0; ; number += 1) {
    const mark = `hwlq${number}x`;
    if (!text.toLowerCase().includes(mark)) return mark;
  }
}

/**
 * Holds the Liquid of HTML or MJML: between elements as comments, which tables keep where they are, elsewhere as plain words. In a measure of
 * MJML the word follows a 0, so that what is calculated is a number.
 */
export function holdLiquid(written: string, kind: MarkupKind = "html"): HeldText {
  const mark = freeMark(written);
  const holding = new Holding(mark);
  let done = 0;
  for (const { 0: liquid, index } of written.matchAll(LIQUID)) {
    holding.pass(written.slice(done, index), kind);
    holding.hold(liquid, kind);
    done = index + liquid.length;
  }
  holding.pass(written.slice(done), kind);
  return holding.end();
}

class Holding {
  readonly #mark: string;
  readonly #place = new HtmlPath();
  readonly #held: string[] = [];
  readonly #marks: HeldMark[] = [];
  /** Ends of marks: offsets in the held text, and in the written one. */
  readonly #ends: { readonly held: number; readonly written: number }[] = [];
  readonly #led = new Set<number>();
  #text = "";
  #writtenAt = 0;

  constructor(mark: string) {
    this.#mark = mark;
  }

  /** Takes text without Liquid. */
  pass(text: string, kind: MarkupKind): void {
    let done = 0;
    for (const { index } of kind === "mjml" ? text.matchAll(STRAY) : []) {
      this.#copy(text.slice(done, index));
      this.#put("<", this.#word());
      done = index + 1;
    }
    this.#copy(text.slice(done));
  }

  hold(liquid: string, kind: MarkupKind): void {
    const word = this.#word();
    const path = this.#place;
    const { attribute, mayVanish } = path;
    const isMeasure = kind === "mjml" && attribute !== undefined && MEASURE.test(attribute);
    this.#marks.push({ word, at: this.#writtenAt, attribute, isMeasure, mayVanish });
    if (path.isBetweenElements) {
      this.#put(liquid, `<!--${word}-->`);
      return;
    }
    const isLed = isMeasure && path.isAtBeginning;
    if (isLed) this.#led.add(this.#held.length);
    path.read(word);
    this.#put(liquid, isLed ? `0${word}` : word);
  }

  end(): HeldText {
    const [held, led, ends] = [this.#held, this.#led, this.#ends];
    const marks = new RegExp(`<!--${this.#mark}(\\d+)x-->|(0?)${this.#mark}(\\d+)x(?:="")?`, "gi");
    const restored = (whole: string, comment?: string, lead = "", word?: string) => {
      const index = Number(comment ?? word);
      const liquid = held[index];
      return liquid === undefined ? whole : `${led.has(index) ? "" : lead}${liquid}`;
    };
    return {
      text: this.#text,
      marks: this.#marks,
      release: (changed) => changed.replaceAll(marks, restored),
      writtenAt: (offset) => {
        const before = ends.findLast((end) => end.held <= offset);
        return before === undefined ? offset : before.written + (offset - before.held);
      },
    };
  }

  #word(): string {
    return `${this.#mark}${this.#held.length}x`;
  }

  #copy(text: string): void {
    this.#place.read(text);
    this.#text += text;
    this.#writtenAt += text.length;
  }

  #put(written: string, mark: string): void {
    this.#held.push(written);
    this.#text += mark;
    this.#writtenAt += written.length;
    this.#ends.push({ held: this.#text.length, written: this.#writtenAt });
  }
}

type State = "text" | "tag" | "single" | "double" | "comment" | "element text";

/** Characters of the longest end of an element whose content is text. */
const TAIL_CHARACTERS = "</mj-html-attribute".length;

/** Follows HTML as far as is needed to know what a comment would do there. */
class HtmlPath {
  #state: State = "text";
  #tag = "";
  #tail = "";
  /** Name of the attribute that is being read in a tag. */
  #name = "";
  #isInDefaults = false;

  get isBetweenElements(): boolean {
    return this.#state === "text";
  }

  /** Name of the attribute whose quoted value goes on. */
  get attribute(): string | undefined {
    return this.#state === "single" || this.#state === "double" ? this.#name : undefined;
  }

  /** Nothing stands before in the value of the attribute, or a blank. */
  get isAtBeginning(): boolean {
    return /["'\s]$/.test(this.#tail);
  }

  get mayVanish(): boolean {
    return this.#state === "comment" || this.#state === "tag" || this.#isInDefaults;
  }

  read(text: string): void {
    for (const character of text) this.#step(character);
  }

  #step(character: string): void {
    this.#tail = (this.#tail + character.toLowerCase()).slice(-TAIL_CHARACTERS);
    switch (this.#state) {
      case "text":
        this.#inText(character);
        return;
      case "tag":
        this.#inTag(character);
        return;
      case "single":
        if (character === "'") this.#state = "tag";
        return;
      case "double":
        if (character === '"') this.#state = "tag";
        return;
      case "comment":
        if (this.#tail.endsWith("-->")) this.#state = "text";
        return;
      case "element text":
        if (this.#tail.endsWith(`</${this.#tag}`)) this.#enterTag("/");
    }
  }

  #inText(character: string): void {
    if (/^<[a-z/!?]$/.test(this.#tail.slice(-2))) this.#enterTag(character);
  }

  #enterTag(first: string): void {
    this.#state = "tag";
    this.#tag = first.toLowerCase();
    this.#name = "";
  }

  #inTag(character: string): void {
    if (this.#tail.endsWith("<!--")) this.#state = "comment";
    else if (character === '"') this.#state = "double";
    else if (character === "'") this.#state = "single";
    else if (character === ">") this.#endTag();
    else if (!this.#tag.endsWith(" ")) this.#tag += isBreak(character) ? " " : character.toLowerCase();
    else if (character !== "=") this.#name = isBreak(character) ? "" : this.#name + character.toLowerCase();
  }

  #endTag(): void {
    this.#tag = this.#tag.trim();
    if (this.#tag === "mj-attributes") this.#isInDefaults = true;
    if (this.#tag === "/mj-attributes") this.#isInDefaults = false;
    this.#state = TEXT_ELEMENTS.test(this.#tag) ? "element text" : "text";
  }
}

function isBreak(character: string): boolean {
  return /[\s/]/.test(character);
}
