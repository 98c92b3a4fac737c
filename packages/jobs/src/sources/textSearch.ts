/** A text that is searched for, whatever its case. */
export interface SearchedText {
  readonly value: string;
  /** It counts anywhere in the text; else as a value of its own. */
  readonly isAnywhere: boolean;
}

/** Longer than any text that is searched for: one that two parts share is seen whole. */
const OVERLAP_CHARACTERS = 1_024;

/** Returns whether a text holds one of those that are searched for. */
export async function holdsAny(parts: AsyncIterable<string>, searched: readonly SearchedText[]): Promise<boolean> {
  if (searched.length === 0) return false;
  const pattern = new RegExp(searched.map(patternOf).join("|"), "m");
  let before = "";
  for await (const part of parts) {
    const text = before + part.toLowerCase();
    if (pattern.test(text)) return true;
    before = text.slice(-OVERLAP_CHARACTERS);
  }
  return false;
}

function patternOf({ value, isAnywhere }: SearchedText): string {
  const text = RegExp.escape(value.toLowerCase());
  return isAnywhere ? text : `(?:^|[\\s,;|:"'])${text}(?:$|[\\s,;|"'}\\]])`;
}
