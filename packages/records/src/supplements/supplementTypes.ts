import { type Json, parsePlainTime, shapes, type Written } from "@headwater/contracts";
import type { Supplement } from "./supplement.ts";

export interface BadField {
  readonly field: string;
  readonly code: "ATTRIBUTE_TYPE_MISMATCH" | "VALIDATION_ERROR";
  readonly message: string;
}

type IndexType = shapes.SupplementIndex["type"];

/** The first of the fields whose value its index cannot take; absent and removed ones are fine. */
export function badField({ indexes }: Supplement, written: ReadonlyMap<string, Written>): BadField | undefined {
  for (const { field, type } of indexes) {
    const value = written.get(field)?.value ?? null;
    if (value === null) continue;
    if (!isOf[type](value)) {
      return {
        field,
        code: "ATTRIBUTE_TYPE_MISMATCH",
        message: `The field ${JSON.stringify(field)} is not of type ${type}.`,
      };
    }
    const message = boundPassed(value);
    if (message !== undefined) return { field, code: "VALIDATION_ERROR", message };
  }
  return undefined;
}

/** Returns whether an index of the type takes the value: values stored before the field was indexed may be anything. */
export function fitsIndex(type: IndexType, value: Json): boolean {
  return isOf[type](value) && boundPassed(value) === undefined;
}

const NUMERIC = /^[+-]?(\d+(?:\.\d*)?|\.\d+)([eE][+-]?\d{1,3})?$/;

export function isNumeric(text: string): boolean {
  return NUMERIC.test(text);
}

const isOf: Readonly<Record<IndexType, (value: Json) => boolean>> = {
  string: (value) => typeof value === "string",
  number: (value) => typeof value === "number" || (typeof value === "string" && isNumeric(value)),
  date: (value) => typeof value === "string" && parsePlainTime(value) !== undefined,
  array: (value) => Array.isArray(value),
  geo: isGeo,
};

/** Members of a geo value that are texts; `loc` holds `lat` and `lon`. */
export const geoTexts: ReadonlySet<string> = new Set([
  "street_address",
  "street_address2",
  "city",
  "state",
  "postal_code",
  "country",
  "countryISO",
  "tz",
]);

function isGeo(value: Json): boolean {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const entries: readonly (readonly [string, unknown])[] = Object.entries(value);
  return entries.every(([name, inner]) => (name === "loc" ? isPosition(inner) : geoTexts.has(name) && isText(inner)));
}

function isPosition(value: unknown): boolean {
  if (typeof value !== "object" || value === null || !("lat" in value) || !("lon" in value)) return false;
  const { lat, lon } = value;
  return typeof lat === "number" && typeof lon === "number" && Math.abs(lat) <= 90 && Math.abs(lon) <= 180;
}

function isText(value: unknown): boolean {
  return typeof value === "string" || value === null;
}

const { supplementIndexValueBytes: BYTES_MAX, supplementIndexElements: ELEMENTS_MAX } = shapes.bounds;

/** Each element of an array is a value of its own. */
function boundPassed(value: Json): string | undefined {
  const values: readonly Json[] = Array.isArray(value) ? value : [value];
  if (values.length > ELEMENTS_MAX) return `An indexed array can have at most ${ELEMENTS_MAX} elements.`;
  if (values.some((one) => bytesOf(one) > BYTES_MAX)) return `An indexed value can have at most ${BYTES_MAX} bytes.`;
  return undefined;
}

function bytesOf(value: Json): number {
  return Buffer.byteLength(typeof value === "string" ? value : JSON.stringify(value));
}
