import { type CountryCode, isSupportedCountry, parsePhoneNumberFromString } from "libphonenumber-js/min";

/** Country of numbers that do not name one, as ISO 3166-1 has it. */
export type PhoneCountry = string;

const MAILTO = "mailto:";
const TEL = "tel:";
/** Characters without width: text that is copied from web pages and address books carries them. */
const INVISIBLE = /[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/g;
/** They may belong to a name, and are removed from the ends alone. */
const JOINERS = "\u200c\u200d";
/**
 * An address: any text without white space and the characters that separate addresses, or a quoted one, and a domain of labels, or an
 * address of the net in brackets. Dots of the first part are not counted: phones have sent mail from `ann..lee.@`.
 */
const EMAIL =
  /^(?:[^\s\p{Cc}@,;:<>()[\]\\"]+|"[^\s\p{Cc}"\\]+")@(?:(?:[^\s\p{Cc}@,;:<>()[\]\\"/.]+\.)*[^\s\p{Cc}@,;:<>()[\]\\"/.]+|\[[^\s[\]]+\])$/u;
const MSISDN = /^(?:00)?([1-9]\d{6,14})$/;
/** A number in E.164, or with `00` for the `+`, as contacts from before have it. */
const INTERNATIONAL = /^(?:\+|00)[1-9]\d{6,14}$/;

/**
 * Returns the canonical form of an email address: without `mailto:`, display name, comment, surrounding quotes, separators behind it and
 * invisible characters, in NFC and lower case.
 */
export function canonicalEmail(text: string): string {
  return plainEmail(text) ?? composed(bareEmail(text)).toLowerCase();
}

/** Returns the canonical form of ASCII with nothing around an address, which nearly all are; undefined for other texts. */
function plainEmail(text: string): string | undefined {
  if (isQuote(text.charAt(0)) || isLastOfMore(text.charAt(text.length - 1))) return undefined;
  let hasUpper = false;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code <= SPACE || code >= DELETE || code === LESS_THAN || code === GREATER_THAN) return undefined;
    hasUpper ||= code >= UPPER_A && code <= UPPER_Z;
  }
  const lower = hasUpper ? text.toLowerCase() : text;
  return lower.startsWith(MAILTO) ? undefined : lower;
}

const [SPACE, LESS_THAN, GREATER_THAN, UPPER_A, UPPER_Z, DELETE] = [0x20, 0x3c, 0x3e, 0x41, 0x5a, 0x7f];

/**
 * Returns a phone number in E.164. A number that names no country is one of the account's `country`; without a country, and for what
 * no number can be, its digits. A text without digits stays as it is.
 */
export function canonicalPhone(text: string, country?: PhoneCountry): string {
  if (isPlainNumber(text)) return text;
  const bare = bareNumber(text);
  const digits = bare.replace(/\D/g, "");
  if (digits.length === 0) return composed(text);
  if (bare.startsWith("+")) {
    const plain = withOnePlus(`+${digits}`);
    const parsed = parsePhoneNumberFromString(bare);
    if (parsed !== undefined) return stableNumber(parsed.number);
    return parsePhoneNumberFromString(plain) === undefined ? plain : bare;
  }
  // A text whose digits alone would be another number stays as it is.
  return inE164(bare, digits, country) ?? (inE164(digits, digits, country) === undefined ? digits : bare);
}

/**
 * Returns whether a text is canonical at first sight: `+` and digits, none of which the library would take for a prefix that is dialled
 * inland alone. It is asked about the few others.
 */
function isPlainNumber(text: string): boolean {
  if (text.charCodeAt(0) !== PLUS || !isDigits(text, 1) || text.charCodeAt(1) === ZERO) return false;
  const national = 1 + callingCodeLength(text);
  if (text.charCodeAt(national) === ZERO) return false;
  const prefixes = inlandPrefixes.get(text.slice(1, national));
  return prefixes === undefined || !prefixes.some((prefix) => text.startsWith(prefix, national));
}

function isDigits(text: string, from: number): boolean {
  for (let index = from; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code < ZERO || code > NINE) return false;
  }
  return text.length > from;
}

const [PLUS, ZERO, NINE] = [0x2b, 0x30, 0x39];
/** Calling codes of two digits (ITU-T E.164); those of one digit are 1 and 7, all others have three. */
const TWO_DIGITS: ReadonlySet<string> = new Set(
  "20 27 30 31 32 33 34 36 39 40 41 43 44 45 46 47 48 49 51 52 53 54 55 56 57 58 60 61 62 63 64 65 66 81 82 84 86 90 91 92 93 94 95 98".split(
    " ",
  ),
);

/** @param text a `+` and digits. */
function callingCodeLength(text: string): number {
  if (text.startsWith("1", 1) || text.startsWith("7", 1)) return 1;
  return TWO_DIGITS.has(text.slice(1, 3)) ? 2 : 3;
}

/** First digits that the library removes from a national number, by calling code, in addition to the 0 of most countries. */
const inlandPrefixes: ReadonlyMap<string, readonly string[]> = new Map([
  ["1", ["1"]],
  ["7", ["8"]],
  ["44", ["18"]],
  ["54", ["1", "2", "3"]],
  ["55", ["90"]],
  ["61", ["183"]],
  ["86", ["11", "12", "17"]],
  ["261", ["2", "4", "5", "6", "7", "8", "9"]],
  ["298", ["10"]],
  ["352", ["15"]],
  ["370", ["8"]],
  ["375", ["8"]],
  ["378", ["8", "9"]],
  ["423", ["1"]],
  ["506", ["19"]],
  ["672", ["1", "2", "5", "8"]],
  ["692", ["1"]],
  ["993", ["8"]],
]);

function inE164(bare: string, digits: string, country: PhoneCountry | undefined): string | undefined {
  const abroad = digits.startsWith("00") ? parsePhoneNumberFromString(`+${digits.slice(2)}`) : undefined;
  if (abroad?.isPossible() === true) return stableNumber(abroad.number);
  if (country === undefined || !isPhoneCountry(country)) return undefined;
  const inland = parsePhoneNumberFromString(bare, { defaultCountry: country, extract: false });
  return inland?.isPossible() === true ? stableNumber(inland.number) : undefined;
}

const ROUNDS_MAX = 8;

/** Reads a number until it is the same again: the library takes one zero that belongs to no number off at a time. */
function stableNumber(number: string): string {
  let stable = number;
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const next = parsePhoneNumberFromString(stable)?.number ?? stable;
    if (next === stable) return stable;
    stable = next;
  }
  return stable;
}

/** Returns whether numbers of a country can be read. */
export function isPhoneCountry(country: string): country is CountryCode {
  return isSupportedCountry(country);
}

/**
 * Returns the form that a value had before addresses were unwrapped and numbers were read with a country, where it is another one.
 * Contacts of that time are found by it.
 */
export function formerAddress(format: "email" | "phone", value: string | number, canonical: string) {
  // What is canonical was so before, but for texts with other characters than digits.
  if (value === canonical && (format === "email" || isDigits(canonical, canonical.startsWith("+") ? 1 : 0)))
    return undefined;
  const text = String(value).trim();
  const former = format === "email" ? composed(text).toLowerCase() : formerPhone(text);
  return former === canonical ? undefined : former;
}

function formerPhone(text: string): string | undefined {
  const digits = text.replace(/\D/g, "");
  if (digits.length === 0) return undefined;
  return text.startsWith("+") ? (parsePhoneNumberFromString(text)?.number ?? `+${digits}`) : digits;
}

/** Returns the forms that a number in E.164 may have been stored under before. */
export function formerPhones(canonical: string): string[] {
  if (!canonical.startsWith("+")) return [];
  const digits = canonical.slice(1);
  const national = parsePhoneNumberFromString(canonical)?.formatNational().replace(/\D/g, "");
  return [`00${digits}`, digits, ...(national === undefined ? [] : [national])];
}

/** Returns whether a canonical address can be one of its channel: a phone number is in E.164. Other channels than email and SMS take any text. */
export function isAddressOf(channel: string, canonical: string): boolean {
  if (channel === "sms") return INTERNATIONAL.test(canonical);
  return channel !== "email" || EMAIL.test(canonical);
}

/**
 * Returns the E.164 form of a number that begins with its country and has no `+`, as providers of SMS write it; undefined for any other text.
 */
export function internationalPhone(text: string): string | undefined {
  const [, digits] = MSISDN.exec(text.trim()) ?? [];
  const parsed = digits === undefined ? undefined : parsePhoneNumberFromString(`+${digits}`);
  return parsed?.isValid() === true ? parsed.number : undefined;
}

/** Puts text into NFC. Plain ASCII is in it already; the test spares most values the work. */
export function composed(text: string): string {
  return isAscii(text) ? text : text.normalize("NFC");
}

function isAscii(text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    if (text.charCodeAt(index) > 127) return false;
  }
  return true;
}

/** Each round makes the text shorter. */
function bareEmail(text: string): string {
  let bare = visible(text);
  for (let inner = unwrapped(bare); inner !== bare; inner = unwrapped(bare)) bare = inner;
  return bare;
}

function unwrapped(text: string): string {
  const inner = innerAddress(text);
  if (inner.includes("@") && inner.length < text.length) return inner;
  if (!startsWith(text, MAILTO)) return text;
  const query = text.indexOf("?");
  return visible(decoded(text.slice(MAILTO.length, query < 0 ? undefined : query))) || text;
}

/** Returns a text without the separators, quotes, brackets or comment around an address. */
function innerAddress(text: string): string {
  let end = text.length;
  while (SEPARATORS.includes(text.charAt(end - 1)) && end > 0) end -= 1;
  if (end < text.length) return visible(text.slice(0, end));
  if (text.endsWith(">")) return visible(text.slice(text.lastIndexOf("<") + 1, -1));
  if (text.endsWith(")")) return visible(text.slice(0, Math.max(0, text.lastIndexOf("("))));
  const quoted = text.slice(1, -1);
  const isPair = closingQuotes.get(text.charAt(0)) === text.charAt(text.length - 1) && !/['"]/.test(quoted);
  return isPair ? visible(quoted) : text;
}

const SEPARATORS = ";,.";
/** Quotes that spreadsheets and mail programs put around an address. */
const closingQuotes: ReadonlyMap<string, string> = new Map([
  ["'", "'"],
  ['"', '"'],
  ["‘", "’"],
  ["“", "”"],
  ["„", "“"],
]);

function isQuote(character: string): boolean {
  return character === "'" || character === '"';
}

function isLastOfMore(character: string): boolean {
  return character === ")" || isQuote(character) || SEPARATORS.includes(character);
}

/** Reads the escapes of an address that stands in a link. A text that would get a control character stays as it is. */
function decoded(text: string): string {
  if (!/%(?:[2-7]|[89a-f])/i.test(text)) return text;
  try {
    const plain = decodeURIComponent(text);
    return /\p{Cc}/u.test(plain) ? text : plain;
  } catch (error) {
    if (error instanceof URIError) return text;
    throw error;
  }
}

/** Longest words, quotes and brackets before the `+` of a number that names its country. */
const BEFORE_PLUS_CHARACTERS_MAX = 32;
/** A `+` that stands twice, or before the `00` that it replaces, and the first digit of the country. */
const PLUSES = /^\+[+\s]*(?:00\s*)?([1-9])/;

function bareNumber(text: string): string {
  const plain = withoutScheme(text);
  const plus = plain.indexOf("+");
  const before = plus > BEFORE_PLUS_CHARACTERS_MAX ? "" : plain.slice(0, Math.max(0, plus));
  if (/\d/.test(before)) return plain;
  const number = withOnePlus(plain.slice(before.length));
  return before.includes("(") ? number.replace(")", " ") : number;
}

function withOnePlus(number: string): string {
  return number.replace(PLUSES, "+$1");
}

function withoutScheme(text: string): string {
  let plain = isAscii(text) ? text.trim() : visible(text.normalize("NFKC"));
  while (startsWith(plain, TEL)) {
    const parameters = plain.indexOf(";");
    plain = plain.slice(TEL.length, parameters < 0 ? undefined : parameters).trim();
  }
  return plain;
}

function startsWith(text: string, scheme: string): boolean {
  return text.slice(0, scheme.length).toLowerCase() === scheme;
}

/** Removes surrounding white space and characters without width. */
function visible(text: string): string {
  if (isAscii(text)) return text.trim();
  const view = text.replace(INVISIBLE, "").trim();
  let [start, end] = [0, view.length];
  while (start < end && JOINERS.includes(view.charAt(start))) start += 1;
  while (end > start && JOINERS.includes(view.charAt(end - 1))) end -= 1;
  return view.slice(start, end).trim();
}
