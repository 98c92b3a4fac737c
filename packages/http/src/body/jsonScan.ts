const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const MINUS = 0x2d;
const ZERO = 0x30;
const NINE = 0x39;

/** An object or array that is open where the scan stands. */
export interface OpenLevel {
  readonly isObject: boolean;
  /** It stands, at any depth, under a member that the scan skips. */
  readonly isSkipped: boolean;
  /** Name of the member whose value comes next; empty in arrays. */
  name: string;
  /** The next string is a member's name. */
  isNameNext: boolean;
}

export interface ScanRules {
  /** Levels beyond which the scan ends. */
  readonly levelsMax: number;
  /** Shorter numbers are not reported. */
  readonly numberLengthMin: number;
  isSkipped(name: string): boolean;
}

/** A number or a string that is a value: `text.slice(start, end)`, a string with its quotes. */
export interface ScannedValue {
  readonly kind: "number" | "string";
  readonly start: number;
  readonly end: number;
  /** Levels around it, from the outside to the inside. */
  readonly levels: readonly OpenLevel[];
}

/**
 * Yields the strings and long numbers of a JSON text in their order, in one pass that takes strings at a jump, and parses nothing.
 * Of a text that is no JSON, or was cut off, it yields what it finds.
 */
export class JsonScan {
  readonly #text: string;
  readonly #rules: ScanRules;
  readonly #levels: OpenLevel[] = [];
  #top: OpenLevel = OUTSIDE;
  #at = 0;

  constructor(text: string, rules: ScanRules) {
    this.#text = text;
    this.#rules = rules;
  }

  /** @returns undefined at the end, and where the text nests too deep. */
  next(): ScannedValue | undefined {
    while (this.#at < this.#text.length) {
      const start = this.#at;
      const code = this.#text.charCodeAt(start);
      if (code === QUOTE) {
        const end = this.#endOfString();
        if (this.#top.isNameNext) this.#name(start, end);
        else if (!this.#top.isSkipped) return { kind: "string", start, end, levels: this.#levels };
      } else if (isDigit(code) || code === MINUS) {
        const end = this.#endOfNumber();
        if (this.#isReported(end - start)) return { kind: "number", start, end, levels: this.#levels };
      } else {
        this.#at += 1;
        if (!this.#structure(code)) return undefined;
      }
    }
    return undefined;
  }

  #isReported(length: number): boolean {
    return length >= this.#rules.numberLengthMin && !this.#top.isSkipped && !this.#top.isNameNext;
  }

  /** @returns false where the text nests too deep. */
  #structure(code: number): boolean {
    if (code === COMMA) {
      this.#top.isNameNext = this.#top.isObject;
    } else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      if (this.#levels.length === this.#rules.levelsMax) return false;
      const isObject = code === OPEN_BRACE;
      const isSkipped = this.#top.isSkipped || this.#rules.isSkipped(this.#top.name);
      this.#top = { isObject, isSkipped, name: "", isNameNext: isObject };
      this.#levels.push(this.#top);
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
      this.#levels.pop();
      this.#top = this.#levels.at(-1) ?? OUTSIDE;
    }
    return true;
  }

  #name(start: number, end: number): void {
    this.#top.name = textOfString(this.#text.slice(start, end)) ?? "";
    this.#top.isNameNext = false;
  }

  /** Returns the index behind the closing quote, or the end of a text that was cut off. */
  #endOfString(): number {
    let quote = this.#text.indexOf('"', this.#at + 1);
    while (quote >= 0 && this.#isEscaped(quote)) quote = this.#text.indexOf('"', quote + 1);
    this.#at = quote < 0 ? this.#text.length : quote + 1;
    return this.#at;
  }

  #isEscaped(quote: number): boolean {
    let first = quote;
    while (first > this.#at + 1 && this.#text.charCodeAt(first - 1) === BACKSLASH) first -= 1;
    return (quote - first) % 2 === 1;
  }

  #endOfNumber(): number {
    let at = this.#at + 1;
    while (at < this.#text.length && isNumberPart(this.#text.charCodeAt(at))) at += 1;
    this.#at = at;
    return at;
  }
}

const OUTSIDE: OpenLevel = { isObject: false, isSkipped: false, name: "", isNameNext: false };

function isDigit(code: number): boolean {
  return code >= ZERO && code <= NINE;
}

/** Digits, `+`, `-`, `.`, `e` and `E`. */
function isNumberPart(code: number): boolean {
  return isDigit(code) || code === MINUS || code === 0x2b || code === 0x2e || code === 0x65 || code === 0x45;
}

/** The text of a JSON string with its quotes; undefined when it is none. */
export function textOfString(source: string): string | undefined {
  if (!source.includes("\\")) return source.slice(1, -1);
  try {
    return String(JSON.parse(source));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
