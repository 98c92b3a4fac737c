import { withoutTrailing } from "@headwater/kernel";
import { z } from "zod";
import { parsePlainTime, toPlainTime } from "./time.ts";
import { canonicalTimezone } from "./timezone.ts";
import type { Json } from "./written.ts";

/** Types that an attribute may be declared as. */
export const attributeTypes = ["string", "number", "boolean", "date", "geo", "array"] as const;
/** `auto`: the value is kept as it came, and who reads it decides what it is. */
export const attributeType = z.enum([...attributeTypes, "auto"]);
export type AttributeType = z.infer<typeof attributeType>;

/** They hold where they are declared, and nowhere else. */
export const attributeValidators = z.object({
  /** Characters of a string, value of a number, items of an array. */
  min: z.number().optional(),
  max: z.number().optional(),
  /** A contact is not made without it, and it is not removed. */
  required: z.boolean().optional(),
  /** A form of a text or number, or a type as which the value can be read. */
  type: z.enum(["email", "url", "integer", ...attributeTypes]).optional(),
});
export type AttributeValidators = z.infer<typeof attributeValidators>;

/** Values that a declared attribute accepts. */
export interface AttributeRule {
  readonly type: AttributeType;
  readonly validators?: AttributeValidators | undefined;
  /** Bound of an array: its oldest items fall out. */
  readonly maxItems?: number | undefined;
}

/** Definitions of an account by name: the declared ones; with `strictAttributes` those of type `auto` too. */
export type AttributeRules = ReadonlyMap<string, AttributeRule>;

/** A value as its type has it. `geo` and `array` edits stay edits. */
export type CastValue =
  | { readonly kind: "value"; readonly value: Json }
  | { readonly kind: "mismatch"; readonly message: string }
  | { readonly kind: "invalid"; readonly message: string };

/** Reads a value by its rule: texts are read as what they say, other values must be of the type. `null` removes. */
export function castAttribute(rule: AttributeRule, input: Json, timezone: string): CastValue {
  const cast = input === null ? null : castType(rule, input, timezone);
  if (cast === undefined) return { kind: "mismatch", message: `The value is not of type ${rule.type}.` };
  if (cast === null) {
    const isNeeded = rule.validators?.required === true;
    return isNeeded ? { kind: "invalid", message: "The attribute is required and cannot be removed." } : value(null);
  }
  const broken = rule.validators && brokenBy(rule.validators, cast, timezone);
  return broken === undefined ? value(cast) : { kind: "invalid", message: broken };
}

/** Casts a value that is being written: a date may have any form of ISO 8601, and gets one that is read where it is stored. */
export function castWritten(rule: AttributeRule, provided: Json, timezone: string): CastValue {
  const cast = castAttribute(rule, provided, timezone);
  const isDate = rule.type === "date" || rule.validators?.type === "date";
  if (cast.kind === "value" || !isDate || typeof provided !== "string") return cast;
  const plain = toPlainTime(provided);
  return plain === undefined || plain === provided ? cast : castAttribute(rule, plain, timezone);
}

function value(of: Json): CastValue {
  return { kind: "value", value: of };
}

/** @returns undefined for a value that the type cannot have. */
function castType(
  { type, maxItems = ARRAY_ITEMS_DEFAULT }: AttributeRule,
  received: Json,
  timezone: string,
): Json | undefined {
  switch (type) {
    case "auto":
      return received;
    case "string":
      return typeof received === "string" ? received : undefined;
    case "number":
      return toNumber(received);
    case "boolean":
      return toBoolean(received);
    case "date":
      return typeof received === "string" && parsePlainTime(received, timezone) !== undefined ? received : undefined;
    case "geo":
      return isGeo(received) ? toGeo(received) : undefined;
    case "array":
      return toArray(received, maxItems);
  }
}

export const ARRAY_ITEMS_DEFAULT = 25;
/** A text that says a number or a boolean is no longer: so no pattern meets a long one. */
export const SCALAR_CHARACTERS_MAX = 64;
const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

/** A number, or a text of one; ClickHouse gets the same. Undefined for all else. */
export function toNumber(given: Json): number | undefined {
  if (typeof given === "number") return given;
  if (typeof given !== "string" || !mayBeNumber(given)) return undefined;
  const text = toShortText(given);
  const read = NUMBER.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(read) ? read : undefined;
}

const NINE = 0x39;

/** Checks the first character alone: all that a number may begin with, spaces included, is at or below the nine. */
function mayBeNumber(text: string): boolean {
  return text.charCodeAt(0) <= NINE;
}

/** Trims spaces, as ClickHouse's `trimBoth` does. */
function toShortText(given: Json): string {
  return typeof given === "string" && given.length <= SCALAR_CHARACTERS_MAX
    ? withoutTrailing(given.replace(/^ +/, ""), " ")
    : "";
}

function toBoolean(given: Json): boolean | undefined {
  if (typeof given === "boolean") return given;
  const text = toShortText(given).toLowerCase();
  if (text === "true" || text === "1") return true;
  return text === "false" || text === "0" ? false : undefined;
}

interface GeoMembers {
  readonly [name: string]: Json;
}

const geoTexts = ["street_address", "street_address2", "city", "state", "postal_code", "country", "countryISO", "tz"];
const GEO_TEXTS: ReadonlySet<string> = new Set(geoTexts);

/** Members of a geo value; any of them may be absent, or null to remove it. */
export function isGeo(given: Json): given is GeoMembers {
  if (!isObject(given)) return false;
  const members = Object.entries(given);
  return members.length > 0 && members.every(([name, inner]) => isGeoMember(name, inner));
}

/** Returns the geo value without its removed members; null when none is left. */
export function toGeo(members: GeoMembers): Json {
  const stored = Object.entries(members).filter(([, inner]) => inner !== null);
  return stored.length > 0 ? Object.fromEntries(stored.map(withCanonicalZone)) : null;
}

/** Gives a zone its canonical name. What is not a zone stays as it is, and nothing goes by it. */
function withCanonicalZone([name, inner]: readonly [string, Json]): [string, Json] {
  return [name, name === "tz" && typeof inner === "string" ? (canonicalTimezone(inner) ?? inner) : inner];
}

function isGeoMember(name: string, inner: Json): boolean {
  if (inner === null) return name === "loc" || GEO_TEXTS.has(name);
  if (name === "loc") return isObject(inner) && isWithin(inner.lat, 90) && isWithin(inner.lon, 180);
  return GEO_TEXTS.has(name) && typeof inner === "string";
}

function isWithin(degrees: Json | undefined, most: number): boolean {
  return typeof degrees === "number" && Math.abs(degrees) <= most;
}

/** An array, cut to its newest items; `{add, remove}` is cut when it is applied. */
function toArray(given: Json, itemsMax: number): Json | undefined {
  if (Array.isArray(given)) return given.slice(-itemsMax);
  return isArrayEdit(given) ? given : undefined;
}

/** Returns how many items an edited array keeps: its newest. An edit is not refused because of a value that it does not know. */
export function arrayItemsMax(rule: AttributeRule | undefined): number | undefined {
  if (rule?.type !== "array") return undefined;
  return Math.min(rule.maxItems ?? ARRAY_ITEMS_DEFAULT, rule.validators?.max ?? Number.POSITIVE_INFINITY);
}

export interface ArrayEdit {
  readonly add?: readonly Json[];
  readonly remove?: readonly Json[];
}

/** `{add, remove}` edits an array in order of arrival. */
export function isArrayEdit(given: Json): given is ArrayEdit & Json {
  if (!isObject(given)) return false;
  const names = Object.keys(given);
  const lists = Object.values(given);
  return names.length > 0 && names.every((n) => n === "add" || n === "remove") && lists.every((l) => Array.isArray(l));
}

const STRING_CHARACTERS_DEFAULT = 128;
/** Length of the longest possible address. */
const EMAIL_CHARACTERS_MAX = 320;
const EMAIL = /^[^\s@]+@[^\s@]+$/;

/** Returns whether a text has one @, and behind it a dot that is neither its first nor its last character. */
function isAddress(text: string): boolean {
  return EMAIL.test(text) && text.slice(text.indexOf("@") + 2, -1).includes(".");
}

/** Returns why the value breaks the validators, or undefined when it does not. */
function brokenBy({ min, max, type }: AttributeValidators, given: Json, timezone: string): string | undefined {
  const size = sizeOf(given);
  const most = max ?? (typeof given === "string" ? STRING_CHARACTERS_DEFAULT : undefined);
  if (size !== undefined && min !== undefined && size < min) return `The value is below the minimum of ${min}.`;
  if (size !== undefined && most !== undefined && size > most) return `The value is above the maximum of ${most}.`;
  return type && brokenForm(type, given, timezone);
}

function brokenForm(type: NonNullable<AttributeValidators["type"]>, given: Json, timezone: string): string | undefined {
  switch (type) {
    case "integer":
      return Number.isInteger(toNumber(given)) ? undefined : "The value is not an integer.";
    case "email":
      return isEmail(given) ? undefined : "The value is not an email address.";
    case "url":
      return typeof given === "string" && URL.canParse(given) ? undefined : "The value is not a URL.";
    default:
      return castType({ type }, given, timezone) === undefined ? `The value is not of type ${type}.` : undefined;
  }
}

function isEmail(given: Json): boolean {
  return typeof given === "string" && given.length <= EMAIL_CHARACTERS_MAX && isAddress(given);
}

function sizeOf(given: Json): number | undefined {
  if (typeof given === "number") return given;
  if (typeof given === "string") return charactersOf(given);
  return Array.isArray(given) ? given.length : undefined;
}

/** Counts characters as a reader does: one outside of the basic plane is one. */
function charactersOf(text: string): number {
  let pairs = 0;
  for (let at = 0; at < text.length; at++) if (isHighSurrogate(text.charCodeAt(at))) pairs++;
  return text.length - pairs;
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

export function isObject(given: Json): given is { readonly [name: string]: Json } {
  return given !== null && typeof given === "object" && !Array.isArray(given);
}
