/** A text whose Liquid is held: each tag and output is replaced by a mark that HTML and CSS let stand. */
export interface HeldText {
  readonly text: string;
  /** Puts the Liquid back into what became of the text. */
  release(text: string): string;
}

const LIQUID =
  /\{%-?\s*raw\s*-?%\}[\s\S]*?\{%-?\s*endraw\s*-?%\}|\{%-?\s*comment\s*-?%\}[\s\S]*?\{%-?\s*endcomment\s*-?%\}|\{%[\s\S]*?%\}|\{\{[\s\S]*?\}\}/g;
/** Elements whose content is text, so that a comment in them would be shown. */
const TEXT_ELEMENTS = /^(title|textarea|style|script|xmp|noscript|iframe)$/;
/** Returns a mark that the text does not hold already. */
function freeMark(text: string): string {
  for (let number = 0; ; number += 1) {
    const mark = `hwlq${number}x`;
    if (!text.toLowerCase().includes(mark)) return mark;
  }
}

/** Holds the Liquid of HTML: between elements as comments, which tables keep where they are, elsewhere as plain words. */
export function holdLiquid(html: string): HeldText {
  const mark = freeMark(html);
  const held: string[] = [];
  const place = new HtmlPlace();
  let done = 0;
  let text = "";
  for (const match of html.matchAll(LIQUID)) {
    const before = html.slice(done, match.index);
    place.read(before);
    const word = `${mark}${held.length}x`;
    held.push(match[0]);
    text += before + (place.isBetweenElements ? `<!--${word}-->` : word);
    if (!place.isBetweenElements) place.read(word);
    done = match.index + match[0].length;
  }
  const marks = new RegExp(`<!--${mark}(\\d+)x-->|${mark}(\\d+)x(?:="")?`, "gi");
  return {
    text: text + html.slice(done),
    release: (changed) =>
      changed.replaceAll(marks, (whole, comment?: string, word?: string) => held[Number(comment ?? word)] ?? whole),
  };
}

type State = "text" | "tag" | "single" | "double" | "comment" | "element text";

/** Follows HTML as far as is needed to know what a comment would do there. */
class HtmlPlace {
  #state: State = "text";
  #tag = "";
  #tail = "";

  get isBetweenElements(): boolean {
    return this.#state === "text";
  }

  read(text: string): void {
    for (const character of text) this.#step(character);
  }

  #step(character: string): void {
    this.#tail = (this.#tail + character.toLowerCase()).slice(-12);
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
  }

  #inTag(character: string): void {
    if (this.#tail.endsWith("<!--")) this.#state = "comment";
    else if (character === '"') this.#state = "double";
    else if (character === "'") this.#state = "single";
    else if (character === ">") this.#endTag();
    else if (!this.#tag.endsWith(" ")) this.#tag += /[\s/]/.test(character) ? " " : character.toLowerCase();
  }

  #endTag(): void {
    this.#tag = this.#tag.trim();
    this.#state = TEXT_ELEMENTS.test(this.#tag) ? "element text" : "text";
  }
}
