import type { AccountSettings } from "@headwater/contracts";

type Keywords = AccountSettings["messaging"]["smsKeywords"];

const CHARACTERS_READ = 200;

/** Meaning of the first word of a message that a person wrote; undefined for a letter to somebody. */
export function keywordOf(text: string, { stop, start, help }: Keywords): "stop" | "start" | "help" | undefined {
  const written = comparable(text.trimStart().slice(0, CHARACTERS_READ));
  // Words of accounts may hold other characters, and persons put others around a word.
  const [token = ""] = /^\S+/.exec(written) ?? [];
  const [word = ""] = /[\p{L}\p{M}\p{N}_-]+/u.exec(written) ?? [];
  const isOne = (words: readonly string[]) => words.map(comparable).some((one) => one === token || one === word);
  if (isOne(stop)) return "stop";
  if (isOne(start)) return "start";
  return isOne(help) ? "help" : undefined;
}

/** Telephones write accents apart from their letters, and Latin letters as wide as others. */
function comparable(text: string): string {
  return text.normalize("NFKC").toUpperCase();
}
