/// <reference lib="esnext.temporal" />

/** A directive of a format: its flags, its width, a modifier that changes nothing, and its conversion. */
const DIRECTIVE = /%([-_0^#:]{0,8})(\d{0,8})([EO]?)([\s\S]?)/g;

export interface Writing {
  /** BCP 47. */
  readonly locale: string;
  /** Called with the characters that padding adds. @throws where they are too many. */
  readonly onPadding?: (characters: number) => void;
}

interface Directive {
  readonly flags: string;
  /** 0 where none is given. */
  readonly width: number;
  readonly locale: string;
}

type Conversion = (at: Temporal.ZonedDateTime, directive: Directive) => string | number;

interface Padding {
  readonly width: number;
  readonly character: "0" | " ";
}

/**
 * Writes an instant in its zone as strftime of Ruby does, whose formats Liquid uses. Directives that do not exist stay as they are.
 * @throws RangeError for what is not a locale.
 */
export function strftime(at: Temporal.ZonedDateTime, format: string, { locale, onPadding }: Writing): string {
  return format.replaceAll(DIRECTIVE, (whole, flags: string, width: string, _modifier: string, name: string) => {
    const convert = conversions.get(name);
    if (convert === undefined) return whole;
    const text = changedCase(String(convert(at, { flags, width: Number(width), locale })), flags);
    const padding = paddingOf(name, flags, Number(width));
    onPadding?.(padding.width - text.length);
    const sign = padding.character === "0" && text.startsWith("-") ? "-" : "";
    return sign + text.slice(sign.length).padStart(padding.width - sign.length, padding.character);
  });
}

/** Returns the directives of a format that do not exist, each as it stands there. */
export function unknownDirectives(format: string): string[] {
  return [...format.matchAll(DIRECTIVE)].flatMap(([whole, , , , name = ""]) => (conversions.has(name) ? [] : [whole]));
}

function changedCase(text: string, flags: string): string {
  if (flags.includes("^")) return text.toUpperCase();
  if (!flags.includes("#")) return text;
  return text === text.toUpperCase() ? text.toLowerCase() : text.toUpperCase();
}

function paddingOf(name: string, flags: string, width: number): Padding {
  const fallback: Padding = paddings.get(name) ?? { width: 0, character: BLANK_PADDED.has(name) ? " " : "0" };
  const character = flags.includes("_") ? " " : flags.includes("0") ? "0" : fallback.character;
  return { width: flags.includes("-") ? 0 : width || fallback.width, character };
}

const digits = (width: number): Padding => ({ width, character: "0" });
const blanks = (width: number): Padding => ({ width, character: " " });
const paddings: ReadonlyMap<string, Padding> = new Map([
  ...[..."CdHIMSUWVgmy"].map((name) => [name, digits(2)] as const),
  ...[..."ekl"].map((name) => [name, blanks(2)] as const),
  ...[..."jL"].map((name) => [name, digits(3)] as const),
  ...[..."YG"].map((name) => [name, digits(4)] as const),
]);
const BLANK_PADDED: ReadonlySet<string> = new Set("aAbBchpPrxX");

const conversions: ReadonlyMap<string, Conversion> = new Map<string, Conversion>([
  ["a", ({ dayOfWeek }, { locale }) => weekdayName(dayOfWeek, "short", locale)],
  ["A", ({ dayOfWeek }, { locale }) => weekdayName(dayOfWeek, "long", locale)],
  ["b", ({ month }, { locale }) => monthName(month, "short", locale)],
  ["B", ({ month }, { locale }) => monthName(month, "long", locale)],
  ["h", ({ month }, { locale }) => monthName(month, "short", locale)],
  ["c", (at, { locale }) => localText(at, locale, { ...DAY, ...CLOCK })],
  ["C", ({ year }) => Math.floor(year / 100)],
  ["d", ({ day }) => day],
  ["D", (at) => strftime(at, "%m/%d/%y", PLAIN)],
  ["e", ({ day }) => day],
  ["F", (at) => strftime(at, "%Y-%m-%d", PLAIN)],
  ["g", ({ yearOfWeek = 0 }) => yearOfWeek % 100],
  ["G", ({ yearOfWeek = 0 }) => yearOfWeek],
  ["H", ({ hour }) => hour],
  ["I", ({ hour }) => hour % 12 || 12],
  ["j", ({ dayOfYear }) => dayOfYear],
  ["k", ({ hour }) => hour],
  ["l", ({ hour }) => hour % 12 || 12],
  ["L", ({ millisecond }) => millisecond],
  ["m", ({ month }) => month],
  ["M", ({ minute }) => minute],
  ["n", () => "\n"],
  ["N", ({ millisecond }, { width }) => fraction(millisecond, width || NANOSECOND_DIGITS)],
  ["p", ({ hour }) => (hour < 12 ? "AM" : "PM")],
  ["P", ({ hour }) => (hour < 12 ? "am" : "pm")],
  ["q", ({ day }) => ordinalEnding(day)],
  ["r", (at) => strftime(at, "%I:%M:%S %p", PLAIN)],
  ["R", (at) => strftime(at, "%H:%M", PLAIN)],
  ["s", ({ epochMilliseconds }) => Math.floor(epochMilliseconds / 1_000)],
  ["S", ({ second }) => second],
  ["t", () => "\t"],
  ["T", (at) => strftime(at, "%H:%M:%S", PLAIN)],
  ["u", ({ dayOfWeek }) => dayOfWeek],
  ["U", ({ dayOfYear, dayOfWeek }) => weekOfYear(dayOfYear, dayOfWeek % 7)],
  ["V", ({ weekOfYear: week = 0 }) => week],
  ["w", ({ dayOfWeek }) => dayOfWeek % 7],
  ["W", ({ dayOfYear, dayOfWeek }) => weekOfYear(dayOfYear, dayOfWeek - 1)],
  ["x", (at, { locale }) => localText(at, locale, DAY)],
  ["X", (at, { locale }) => localText(at, locale, CLOCK)],
  ["y", ({ year }) => year % 100],
  ["Y", ({ year }) => year],
  ["z", ({ offset }, { flags }) => (flags.includes(":") ? offset : offset.replace(":", ""))],
  ["Z", ({ timeZoneId }) => timeZoneId],
  ["%", () => "%"],
]);

const PLAIN: Writing = { locale: "en-US" };
const DAY = { year: "numeric", month: "numeric", day: "numeric" } as const;
const CLOCK = { hour: "numeric", minute: "numeric", second: "numeric" } as const;
const NANOSECOND_DIGITS = 9;
/** Digits that a fraction is given: more would only be zeros. */
const FRACTION_DIGITS_MAX = 64;

function fraction(millisecond: number, width: number): string {
  const text = String(millisecond).padStart(3, "0");
  return text.slice(0, width).padEnd(Math.min(width, FRACTION_DIGITS_MAX), "0");
}

/** Returns the number of the week; days before the first one that begins a week are in week 0. @param daysSince days since the week began. */
function weekOfYear(dayOfYear: number, daysSince: number): number {
  return Math.floor((dayOfYear + 6 - daysSince) / 7);
}

function ordinalEnding(day: number): string {
  if (day >= 11 && day <= 13) return "th";
  return ["th", "st", "nd", "rd"][day % 10] ?? "th";
}

type NameLength = "short" | "long";

function monthName(month: number, length: NameLength, locale: string): string {
  return formatOf(locale, { month: length, timeZone: "UTC" }).format(Date.UTC(2001, month - 1, 1));
}

/** @param dayOfWeek 1 for Monday: 1 January 2001 was one. */
function weekdayName(dayOfWeek: number, length: NameLength, locale: string): string {
  return formatOf(locale, { weekday: length, timeZone: "UTC" }).format(Date.UTC(2001, 0, dayOfWeek));
}

function localText(
  { epochMilliseconds, timeZoneId }: Temporal.ZonedDateTime,
  locale: string,
  options: Intl.DateTimeFormatOptions,
): string {
  return formatOf(locale, { ...options, timeZone: timeZoneId }).format(epochMilliseconds);
}

const formats = new Map<string, Intl.DateTimeFormat>();
const FORMATS_MAX = 200;

/** Returns a format that was created before where there is one: creating takes a hundred times as long as writing. */
function formatOf(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = JSON.stringify([locale, options]);
  const known = formats.get(key);
  if (known !== undefined) return known;
  if (formats.size >= FORMATS_MAX) formats.clear();
  const format = new Intl.DateTimeFormat(locale, options);
  formats.set(key, format);
  return format;
}
