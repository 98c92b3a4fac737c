/** Parts of a date, from the greatest. */
export const dateParts = ["year", "month", "day", "hour", "minute", "second"] as const;
export type DatePart = (typeof dateParts)[number];

/** A date format as it is read: names of the parts in order, and the pattern of a text. */
export interface DateFormat {
  readonly parts: readonly DatePart[];
  readonly pattern: RegExp;
}

const TOKEN = /y{1,4}|m{1,2}|d{1,2}|h{1,2}|s{1,2}|[^a-z]/gi;
export const DATE_FORMAT_CHARACTERS_MAX = 32;

/**
 * Reads a date format such as `dd.mm.yyyy` or `m/d/yy hh:mm`: `mm` behind hours are minutes.
 * @returns undefined for a text that is not one.
 */
export function parseDateFormat(input: string): DateFormat | undefined {
  if (input.length > DATE_FORMAT_CHARACTERS_MAX) return undefined;
  const tokens = input.match(TOKEN) ?? [];
  if (tokens.join("") !== input) return undefined;
  const parts: DatePart[] = [];
  let pattern = "";
  for (const token of tokens) {
    const part = partOf(token.toLowerCase(), parts);
    if (part !== undefined) parts.push(part);
    pattern += part === undefined ? RegExp.escape(token) : digitsOf(token, part);
  }
  const isWhole = ["year", "month", "day"].every((name) => parts.some((part) => part === name));
  const isOnce = new Set(parts).size === parts.length;
  const isTime = !parts.includes("hour") || parts.includes("minute");
  return isWhole && isOnce && isTime ? { parts, pattern: new RegExp(`^${pattern}$`) } : undefined;
}

function partOf(token: string, before: readonly DatePart[]): DatePart | undefined {
  switch (token.charAt(0)) {
    case "y":
      return "year";
    case "d":
      return "day";
    case "h":
      return "hour";
    case "s":
      return "second";
    case "m":
      return before.at(-1) === "hour" ? "minute" : "month";
    default:
      return undefined;
  }
}

/** A day or month of one digit may stand for one of two, as people write them. */
function digitsOf(token: string, part: DatePart): string {
  if (part === "year") return token.length <= 2 ? "(\\d{2})" : "(\\d{4})";
  return "(\\d{1,2})";
}
