import { isUtf8 } from "node:buffer";
import { analyse } from "chardet";
import iconv from "iconv-lite";
import { UTF_8 } from "./row.ts";
import { SourceRefused } from "./sourceRefused.ts";

/** Marks at the beginning of a text, with the bytes they take. */
const MARKS = [
  { encoding: UTF_8, mark: Buffer.from([0xef, 0xbb, 0xbf]) },
  { encoding: "utf-16le", mark: Buffer.from([0xff, 0xfe]) },
  { encoding: "utf-16be", mark: Buffer.from([0xfe, 0xff]) },
] as const;

export interface Marked {
  readonly encoding: string;
  readonly markBytes: number;
}

export function markOf(head: Buffer): Marked | undefined {
  const found = MARKS.find(({ mark }) => head.subarray(0, mark.length).equals(mark));
  return found && { encoding: found.encoding, markBytes: found.mark.length };
}

/** @returns the name in the form that is shown. @throws SourceRefused for an encoding that nobody knows. */
export function knownEncoding(input: string): string {
  const name = input.trim().toLowerCase();
  if (name === "utf8") return UTF_8;
  if (name === "utf-16" || name === "utf16") return "utf-16le";
  if (iconv.encodingExists(name)) return name;
  throw new SourceRefused(`The encoding ${JSON.stringify(input.slice(0, 64))} is not known.`);
}

/** Text without a mark that is UTF-16: every other byte of plain letters is NUL. */
export function utf16Of(head: Buffer): string | undefined {
  let even = 0;
  let odd = 0;
  for (let index = 0; index + 1 < head.length; index += 2) {
    if (head[index] === 0) even++;
    if (head[index + 1] === 0) odd++;
  }
  const most = head.length / 2;
  if (most < 2 || Math.max(even, odd) < most * NULS_OF_UTF_16) return undefined;
  return odd > even ? "utf-16le" : "utf-16be";
}

const NULS_OF_UTF_16 = 0.4;
const FALLBACK = "windows-1252";
/** The detector says these for what is nearly always windows-1252, which has all their characters and more. */
const LIKE_DEFAULT: ReadonlySet<string> = new Set([
  "iso-8859-1",
  "ascii",
  "iso-8859-2",
  "iso-8859-9",
  "windows-1250",
  "windows-1254",
]);
/** A detector that is less sure guesses. */
const CONFIDENCE_MIN = 50;

/** The most likely encoding of a text that is not UTF-8. @param sample around the first byte that shows it. */
export function detectEncoding(sample: Buffer): string {
  const [best] = analyse(sample);
  const name = best?.name.toLowerCase() ?? FALLBACK;
  if (best === undefined || best.confidence < CONFIDENCE_MIN || LIKE_DEFAULT.has(name)) return FALLBACK;
  return iconv.encodingExists(name) ? name : FALLBACK;
}

/** Turns text of any encoding into UTF-8, chunk by chunk. What a decoder cannot read becomes U+FFFD. */
export async function* toUtf8(bytes: AsyncIterable<Buffer>, encoding: string): AsyncGenerator<string> {
  const decoder = iconv.getDecoder(encoding);
  for await (const chunk of bytes) {
    const text = decoder.write(chunk);
    if (text !== "") yield text;
  }
  const rest = decoder.end();
  if (rest !== undefined && rest !== "") yield rest;
}

/** Checks whether a text is UTF-8, of which chunks come in order; the first that is not is kept as a sample. */
export class Utf8Check {
  #rest: Buffer = Buffer.alloc(0);
  #sample: Buffer | undefined;

  /** A sample around the first bytes that are not UTF-8. */
  get sample(): Buffer | undefined {
    return this.#sample;
  }

  add(chunk: Buffer): void {
    if (this.#sample !== undefined) return;
    const text = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    const whole = text.length - cutCharacterBytes(text);
    if (isUtf8(text.subarray(0, whole))) this.#rest = Buffer.from(text.subarray(whole));
    else this.#sample = text.subarray(0, SAMPLE_BYTES);
  }

  end(): void {
    if (this.#rest.length > 0) this.#sample ??= this.#rest;
  }
}

const SAMPLE_BYTES = 256 * 1024;
const CONTINUATION_BYTES_MAX = 3;

/** Bytes at the end that begin a character which goes on in the next chunk. */
function cutCharacterBytes(text: Buffer): number {
  for (let back = 1; back <= Math.min(CONTINUATION_BYTES_MAX, text.length); back++) {
    const byte = text[text.length - back] ?? 0;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return back < lengthOfCharacter(byte) ? back : 0;
  }
  return 0;
}

function lengthOfCharacter(first: number): number {
  if (first >= 0xf0) return 4;
  return first >= 0xe0 ? 3 : 2;
}
