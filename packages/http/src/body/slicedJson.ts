import type { Sliced } from "@headwater/kernel";
import { type MemberNames, parseExact } from "./exactNumbers.ts";
import { JsonAssembly, type ParsedJson } from "./jsonAssembly.ts";

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

/** Characters that are parsed at a time: about a millisecond of a core, whatever they say. */
const PIECE_CHARACTERS = 64 * 1024;

/**
 * Parses JSON as `parseExact` does, and stops between two pieces of it, so that a large body never holds the event loop. One scan finds the
 * commas and brackets; `JSON.parse` reads what stands between them, and validates it. Containers that more than one piece belongs to are put
 * together by us. Values below level 1,024, members of an object beyond 50,000 names, and all that follows on the 1,000,000th container are checked
 * and dropped.
 * @throws SyntaxError for every text that `JSON.parse` refuses.
 */
export function* parseInSlices(
  text: string,
  decimalMembers: MemberNames,
  pieceCharacters = PIECE_CHARACTERS,
): Sliced<ParsedJson> {
  if (text.length <= pieceCharacters) {
    return { value: parseExact(text, decimalMembers), isCrowded: false, wideLevel: undefined };
  }
  const scan = new PieceScan(text, new JsonAssembly(text, decimalMembers));
  for (let until = pieceCharacters; until < text.length; until += pieceCharacters) {
    scan.scanTo(until);
    yield;
  }
  scan.scanTo(text.length);
  return scan.end();
}

/** Finds the structure of a text and passes the assembly what may be parsed. */
class PieceScan {
  readonly #text: string;
  readonly #assembly: JsonAssembly;
  #at = 0;
  /** Beginning of the string that is being read; negative outside of strings. */
  #string = -1;

  constructor(text: string, assembly: JsonAssembly) {
    this.#text = text;
    this.#assembly = assembly;
  }

  /** Reads on to `until` or a little beyond it, and has everything complete up to there parsed. */
  scanTo(until: number): void {
    while (this.#at < until) {
      if (this.#string >= 0) this.#readString();
      else this.#readStructure(until);
    }
    this.#assembly.parsePending();
  }

  end(): ParsedJson {
    if (this.#string >= 0) throw new SyntaxError("a string does not end");
    return this.#assembly.end();
  }

  /** Reads on to the next string. */
  #readStructure(until: number): void {
    const text = this.#text;
    for (let at = this.#at; at < until; at++) {
      const code = text.charCodeAt(at);
      if (code === QUOTE) {
        this.#string = at;
        this.#at = at + 1;
        return;
      }
      if (code === COMMA) this.#assembly.comma(at);
      else if (code === OPEN_BRACE || code === OPEN_BRACKET) this.#assembly.open(at, code === OPEN_BRACE);
      else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) this.#assembly.close(at, code === CLOSE_BRACE);
    }
    this.#at = until;
  }

  /** Reads on behind the next quote; a string with many of them takes many calls. */
  #readString(): void {
    const quote = this.#text.indexOf('"', this.#at);
    this.#at = quote < 0 ? this.#text.length : quote + 1;
    if (quote >= 0 && !this.#isEscaped(quote)) this.#string = -1;
  }

  #isEscaped(quote: number): boolean {
    let first = quote;
    while (first > this.#string + 1 && this.#text.charCodeAt(first - 1) === BACKSLASH) first -= 1;
    return (quote - first) % 2 === 1;
  }
}
