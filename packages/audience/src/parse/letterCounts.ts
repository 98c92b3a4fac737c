/** Places that letters are counted in: 26 of letters, 10 of digits, the rest of all else. */
export const LETTERS = 48;

/** Counts the letters of a text of at most 255 characters. Letters that share a place make names look nearer, never farther. */
export function addLetters(counts: Uint8Array, from: number, text: string): void {
  for (let at = 0; at < text.length; at++) {
    const place = from + placeOf(text.charCodeAt(at));
    counts[place] = (counts[place] ?? 0) + 1;
  }
}

function placeOf(code: number): number {
  if (code >= 97 && code <= 122) return code - 97;
  if (code >= 48 && code <= 57) return code - 22;
  return 36 + (code % (LETTERS - 36));
}

/** The letters that one of the two has too many of, whichever has more. */
export function leastDistance(wanted: Uint8Array, counts: Uint8Array, from: number): number {
  let missing = 0;
  let extra = 0;
  for (let place = 0; place < LETTERS; place++) {
    const difference = (wanted[place] ?? 0) - (counts[from + place] ?? 0);
    if (difference > 0) missing += difference;
    else extra -= difference;
  }
  return Math.max(missing, extra);
}
