import { type CountryCode, isSupportedCountry, parsePhoneNumberFromString } from "libphonenumber-js/min";

/** Country of numbers that do not name one, as ISO 3166-1 has it. */
export type PhoneCountry = string;

const MAILTO = "mailto:";
const TEL = "tel:";
/** Characters without width: text that is copied from web pages and address books carries them. */
const INVISIBLE = /[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/g;
/** They may belong to a name, and are removed from the ends alone. */
const JOINERS = "\u200c\u200d";
const BLANK_OR_CONTROL = /[\s\p{Cc}]/u;
const MSISDN = /^(?:00)?([1-9]\d{6,14})$/;
/** A number in E.164, or with `00` for the `+`, as contacts from before have it. */
const INTERNATIONAL = /^(?:\+|00)[1-9]\d{6,14}$/;

/** Returns the canonical form of an email address: without `mailto:`, display name and invisible characters, in NFC and lower case. */
export function canonicalEmail(text: string): string {
  return composed(bareEmail(text)).toLowerCase();
}

/**
 * Returns a phone number in E.164. A number that names no country is one of the account's `country`; without a country, and for what
 * no number can be, its digits.
 * @returns undefined for a text without digits.
 */
export function canonicalPhone(text: string, country?: PhoneCountry): string | undefined {
  const bare = bareNumber(text);
  const digits = bare.replace(/\D/g, "");
  if (digits.length === 0) return undefined;
  if (bare.startsWith("+")) {
    const plain = `+${digits}`;
    const parsed = parsePhoneNumberFromString(bare);
    if (parsed !== undefined) return stableNumber(parsed.number);
    return parsePhoneNumberFromString(plain) === undefined ? plain : bare;
  }
  // A text whose digits alone would be another number stays as it is.
  return inE164(bare, digits, country) ?? (inE164(digits, digits, country) === undefined ? digits : bare);
}

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

/**
 * Returns whether a canonical address can be one of its channel: an email has an `@` with something on both sides, no white space and no
 * control characters; a phone number is in E.164. Other channels take any text.
 */
export function isAddressOf(channel: string, canonical: string): boolean {
  if (channel === "sms") return INTERNATIONAL.test(canonical);
  if (channel !== "email") return true;
  const at = canonical.lastIndexOf("@");
  return at > 0 && at < canonical.length - 1 && !BLANK_OR_CONTROL.test(canonical);
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
  if (text.endsWith(">")) {
    const inner = visible(text.slice(text.lastIndexOf("<") + 1, -1));
    if (inner.includes("@") && inner.length < text.length - 1) return inner;
  }
  if (!startsWith(text, MAILTO)) return text;
  const query = text.indexOf("?");
  return visible(text.slice(MAILTO.length, query < 0 ? undefined : query)) || text;
}

function bareNumber(text: string): string {
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
  const shown = text.replace(INVISIBLE, "").trim();
  let [start, end] = [0, shown.length];
  while (start < end && JOINERS.includes(shown.charAt(start))) start += 1;
  while (end > start && JOINERS.includes(shown.charAt(end - 1))) end -= 1;
  return shown.slice(start, end).trim();
}
