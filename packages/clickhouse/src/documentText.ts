/** Digits from which an integer may need more than 64 bits. */
const LONG_INTEGER = /\d{19}/;
const QUOTE_OR_INTEGER = /"|-?\d{19,}/g;
const UNSIGNED_MAX = 2n ** 64n - 1n;
const SIGNED_MIN = -(2n ** 63n);

/**
 * Returns the JSON of a value as ClickHouse can read it. Its parser refuses a whole document for one integer beyond 64 bits, so such an
 * integer is written as a float (`108476845404192600000.0`): the same number to every reader, and its digits still stand in the text.
 */
export function toDocumentText(value: unknown): string {
  return withReadableIntegers(JSON.stringify(value));
}

/** Rewrites integers beyond 64 bits; strings, fractions and exponents stay as they are. */
function withReadableIntegers(text: string): string {
  // Nearly always: one read of the text.
  if (!LONG_INTEGER.test(text)) return text;
  const parts: string[] = [];
  let from = 0;
  const tokens = new RegExp(QUOTE_OR_INTEGER);
  for (let token = tokens.exec(text); token !== null; token = tokens.exec(text)) {
    const [digits] = token;
    if (digits === '"') {
      tokens.lastIndex = endOfString(text, token.index);
    } else if (isBeyond64Bits(text, token.index, digits)) {
      parts.push(text.slice(from, tokens.lastIndex), ".0");
      from = tokens.lastIndex;
    }
  }
  return parts.length === 0 ? text : parts.join("") + text.slice(from);
}

/** Returns the position behind the string's closing quote. */
function endOfString(text: string, start: number): number {
  let at = text.indexOf('"', start + 1);
  while (at !== -1 && isEscaped(text, at)) at = text.indexOf('"', at + 1);
  return at === -1 ? text.length : at + 1;
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text[at - 1 - backslashes] === "\\") backslashes++;
  return backslashes % 2 === 1;
}

const PART_OF_NUMBER = /[.eE+]/;

function isBeyond64Bits(text: string, start: number, digits: string): boolean {
  const [before, after] = [text[start - 1] ?? "", text[start + digits.length] ?? ""];
  if (PART_OF_NUMBER.test(before) || PART_OF_NUMBER.test(after)) return false;
  const integer = BigInt(digits);
  return integer > UNSIGNED_MAX || integer < SIGNED_MIN;
}
