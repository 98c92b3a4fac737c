import type { TextForm } from "./row.ts";
import { CARRIAGE_RETURN, LINE_FEED } from "./splitRecords.ts";

const CANDIDATES = [",", ";", "\t", "|"] as const;
const LINES_CHECKED = 20;

const named: ReadonlyMap<string, string> = new Map([
  ["comma", ","],
  ["semicolon", ";"],
  ["tab", "\t"],
  ["pipe", "|"],
]);

const BLANKS = "blanks";

/** One character, or its name. */
export function delimiterOf(input: string): string {
  return named.get(input.toLowerCase()) ?? input;
}

/** The first line of Excel that names the separator. */
const SEPARATOR_LINE = /^"?sep=([^\r\n])"?(\r\n|\r|\n|$)/i;

/** Reads a first line that says `sep=;`; undefined where the text has none. @param head UTF-8, without a mark. */
export function separatorLine(head: Buffer): { readonly delimiter: string; readonly bytes: number } | undefined {
  const [line, delimiter] = SEPARATOR_LINE.exec(head.toString("utf8", 0, SEPARATOR_LINE_BYTES)) ?? [];
  if (line === undefined || delimiter === undefined) return undefined;
  return { delimiter, bytes: Buffer.byteLength(line) };
}

const SEPARATOR_LINE_BYTES = 16;

/**
 * Checks how a text begins. What is given wins.
 * @param head UTF-8, without a mark.
 */
export function detectForm(
  head: Buffer,
  provided: { readonly delimiter?: string | undefined; readonly name?: string | undefined },
): TextForm {
  const newline = newlineOf(head);
  const text = head.toString("utf8");
  if (isJsonl(text, provided.name)) return { format: "jsonl", delimiter: "", newline };
  if (provided.delimiter?.toLowerCase() === BLANKS) return { format: "csv", delimiter: " ", newline, isAligned: true };
  const delimiter =
    provided.delimiter === undefined ? detectDelimiter(text, newline, provided.name) : delimiterOf(provided.delimiter);
  return { format: "csv", delimiter, newline };
}

/** Sources that have no line feed end their lines with a carriage return alone. */
function newlineOf(head: Buffer): TextForm["newline"] {
  const feed = head.indexOf(LINE_FEED);
  return feed < 0 && head.includes(CARRIAGE_RETURN) ? "\r" : "\n";
}

function isJsonl(text: string, name = ""): boolean {
  if (/\.(jsonl|ndjson)(\.(gz|zst))?$/i.test(name)) return true;
  return text.trimStart().startsWith("{");
}

function detectDelimiter(text: string, newline: string, name = ""): string {
  if (/\.tsv(\.(gz|zst))?$/i.test(name)) return "\t";
  const lines = outsideQuotes(text)
    .split(newline)
    .filter((line) => line.trim() !== "")
    .slice(0, LINES_CHECKED);
  // The last line may be cut.
  const whole = lines.length > 1 ? lines.slice(0, -1) : lines;
  let best: { readonly delimiter: string; readonly score: number } = { delimiter: ",", score: 0 };
  for (const delimiter of CANDIDATES) {
    const counts = whole.map((line) => line.split(delimiter).length - 1);
    const first = counts[0] ?? 0;
    const alike = counts.filter((count) => count === first).length;
    const score = first === 0 ? 0 : alike * ALIKE_WEIGHT + first;
    if (score > best.score) best = { delimiter, score };
  }
  return best.delimiter;
}

/** Several lines that agree are better evidence than one line with many of them. */
const ALIKE_WEIGHT = 10_000;

function outsideQuotes(text: string): string {
  return text
    .split('"')
    .filter((_, index) => index % 2 === 0)
    .join("");
}
