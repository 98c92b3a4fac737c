import { SourceRefused } from "./sourceRefused.ts";

const QUOTE = 34;
const BACKSLASH = 92;
const COMMA = 44;
const OPEN_ARRAY = 91;
const CLOSE_ARRAY = 93;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;
const BLANKS: ReadonlySet<number> = new Set([9, 10, 13, 32, 0xfeff]);
const LINE_ENDS: ReadonlySet<number> = new Set([10, 13]);

/**
 * Turns an array of JSON into one line for each element, in memory of one chunk. What an element holds is not read: a wrong one is a wrong
 * line.
 * @throws SourceRefused for a text that is not one array, or that ends within it.
 */
export async function* linesOfArray(text: AsyncIterable<string>): AsyncGenerator<string> {
  const lines = new ArrayLines();
  for await (const chunk of text) yield lines.read(chunk);
  lines.end();
}

class ArrayLines {
  /** Open brackets: 1 between the elements of the array. */
  #depth = 0;
  #isOver = false;
  #isInString = false;
  #isEscaped = false;
  /** An element has begun. */
  #isWithin = false;
  /** A comma asks for another element. */
  #isAwaited = false;

  read(chunk: string): string {
    let out = "";
    let from = 0;
    for (let at = 0; at < chunk.length; at++) {
      const code = chunk.charCodeAt(at);
      const written = this.#isInString ? this.#inString(code) : this.#outside(code);
      if (written === undefined) continue;
      out += chunk.slice(from, at) + written;
      from = at + 1;
    }
    return out + chunk.slice(from);
  }

  end(): void {
    if (!this.#isOver) throw new SourceRefused("The source ends within its JSON array.");
  }

  /** @returns what stands for the character; undefined where it stays. */
  #inString(code: number): string | undefined {
    // JSON has no line ends in strings. A tab is not allowed there either, so the line is refused, and no other.
    if (LINE_ENDS.has(code)) return "\t";
    if (this.#isEscaped) this.#isEscaped = false;
    else if (code === BACKSLASH) this.#isEscaped = true;
    else if (code === QUOTE) this.#isInString = false;
    return undefined;
  }

  #outside(code: number): string | undefined {
    if (BLANKS.has(code)) return this.#depth > 1 || this.#isWithin ? " " : "";
    if (this.#isOver || (this.#depth === 0 && code !== OPEN_ARRAY)) throw notAnArray();
    if (this.#depth === 0) {
      this.#depth = 1;
      return "";
    }
    if (this.#depth === 1 && code === COMMA) return this.#next();
    if (this.#depth === 1 && code === CLOSE_ARRAY) return this.#close();
    this.#isWithin = true;
    this.#isAwaited = false;
    if (code === QUOTE) this.#isInString = true;
    else if (code === OPEN_OBJECT || code === OPEN_ARRAY) this.#depth += 1;
    else if (code === CLOSE_OBJECT || code === CLOSE_ARRAY) this.#leave();
    return undefined;
  }

  #leave(): void {
    if (this.#depth === 1) throw notAnArray();
    this.#depth -= 1;
  }

  #next(): string {
    if (!this.#isWithin) throw notAnArray();
    this.#isWithin = false;
    this.#isAwaited = true;
    return "\n";
  }

  #close(): string {
    if (this.#isAwaited) throw notAnArray();
    this.#isOver = true;
    const end = this.#isWithin ? "\n" : "";
    this.#isWithin = false;
    return end;
  }
}

function notAnArray(): SourceRefused {
  return new SourceRefused("The source is not a valid JSON array of objects.");
}
