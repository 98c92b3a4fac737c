import { type DateFormat, type DatePart, dateParts, parseDateFormat } from "@headwater/contracts";

/** Ways in which the cells of a source write numbers and dates. */
export interface Notation {
  /** The import names how numbers are written: what is not written so is no number. */
  readonly hasDecimal: boolean;
  /** Returns a number in plain digits; undefined for a text that is not a number in this notation. */
  number(text: string): string | undefined;
  /** Returns a date, or a date with a time, as ISO 8601 has it; undefined for any other text. */
  date(text: string): string | undefined;
}

export interface NotationOptions {
  readonly decimal?: "." | "," | undefined;
  readonly dateFormat?: string | undefined;
}

/** Creates the reader of a notation; undefined where an import names none. */
export function createNotation({ decimal, dateFormat }: NotationOptions): Notation | undefined {
  if (decimal === undefined && dateFormat === undefined) return undefined;
  const format = dateFormat === undefined ? undefined : parseDateFormat(dateFormat);
  return {
    hasDecimal: decimal !== undefined,
    number: (text) => (decimal === undefined ? undefined : plainNumber(text.trim(), decimal)),
    date: (text) => (format === undefined ? undefined : isoDate(text.trim(), format)),
  };
}

const NUMBER_CHARACTERS_MAX = 40;
const SHAPES = {
  ",": /^[-+]?(?:(?:0|[1-9]\d*|[1-9]\d{0,2}(?:[. '\u00a0\u202f\u2019]\d{3})+)(?:,\d+)?|,\d+)$/,
  ".": /^[-+]?(?:(?:0|[1-9]\d*|[1-9]\d{0,2}(?:[, '\u00a0\u202f\u2019]\d{3})+)(?:\.\d+)?|\.\d+)$/,
} as const;

/** Groups of three digits may be apart. A number with leading zeros, such as a postcode, is a text. */
function plainNumber(text: string, decimal: "." | ","): string | undefined {
  if (text.length > NUMBER_CHARACTERS_MAX || !SHAPES[decimal].test(text)) return undefined;
  const [whole = "", fraction] = text.split(decimal);
  const digits = whole.replace(/[^\d-]/g, "").replace(/^-?$/, "$&0");
  return fraction === undefined ? digits : `${digits}.${fraction}`;
}

/** Two digits of a year are of the hundred years that end in 2068, as POSIX has it. */
const CENTURY_FROM = 69;

const DATE_CHARACTERS_MAX = 40;

function isoDate(text: string, { parts, pattern }: DateFormat): string | undefined {
  const found = text.length > DATE_CHARACTERS_MAX ? null : pattern.exec(text);
  if (found === null) return undefined;
  const partValue = (name: DatePart) => {
    const index = parts.indexOf(name);
    return index < 0 ? undefined : Number(found[index + 1]);
  };
  const [input = 0, month = 0, day = 0, hour, minute = 0, second = 0] = dateParts.map(partValue);
  const isShort = (found[parts.indexOf("year") + 1] ?? "").length === 2;
  const year = isShort ? input + (input < CENTURY_FROM ? 2000 : 1900) : input;
  const at = new Date(Date.UTC(year, month - 1, day, hour ?? 0, minute, second));
  at.setUTCFullYear(year, month - 1, day);
  const isReal = at.getUTCMonth() === month - 1 && at.getUTCDate() === day && (hour ?? 0) < 24;
  if (!isReal || minute > 59 || second > 59) return undefined;
  const iso = at.toISOString();
  return hour === undefined ? iso.slice(0, 10) : iso.slice(0, 19);
}
