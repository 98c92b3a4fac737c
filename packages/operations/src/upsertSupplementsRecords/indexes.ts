import { type Json, parseTime, shapes, type Written } from "@headwater/contracts";
import type { Supplement } from "../state/supplement.ts";

export interface BadField {
  readonly field: string;
  readonly code: "ATTRIBUTE_TYPE_MISMATCH" | "VALIDATION_ERROR";
  readonly message: string;
}

/** The first of the fields whose value its index cannot take; absent and removed ones are fine. */
export function badField({ indexes }: Supplement, written: ReadonlyMap<string, Written>): BadField | undefined {
  for (const { field, type } of indexes) {
    const value = written.get(field)?.value ?? null;
    if (value === null) continue;
    if (!isOf[type](value)) {
      return { field, code: "ATTRIBUTE_TYPE_MISMATCH", message: `The field ${JSON.stringify(field)} is no ${type}.` };
    }
    if (isTooLong(value)) {
      const message = `An indexed value has at most ${shapes.bounds.supplementIndexValueBytes} bytes.`;
      return { field, code: "VALIDATION_ERROR", message };
    }
  }
  return undefined;
}

const NUMERIC = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,3})?$/;

const isOf: Readonly<Record<shapes.SupplementIndex["type"], (value: Json) => boolean>> = {
  string: (value) => typeof value === "string",
  number: (value) => typeof value === "number" || (typeof value === "string" && NUMERIC.test(value)),
  date: (value) => typeof value === "string" && parseTime(value) !== undefined,
  array: (value) => Array.isArray(value),
  geo: isGeo,
};

const geoKeys = new Set([
  "street_address",
  "street_address2",
  "city",
  "state",
  "postal_code",
  "country",
  "countryISO",
  "tz",
  "loc",
]);

function isGeo(value: Json): boolean {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const entries: readonly (readonly [string, unknown])[] = Object.entries(value);
  return entries.every(([name, inner]) => geoKeys.has(name) && (name === "loc" ? isPlace(inner) : isText(inner)));
}

function isPlace(value: unknown): boolean {
  if (typeof value !== "object" || value === null || !("lat" in value) || !("lon" in value)) return false;
  const { lat, lon } = value;
  return typeof lat === "number" && typeof lon === "number" && Math.abs(lat) <= 90 && Math.abs(lon) <= 180;
}

function isText(value: unknown): boolean {
  return typeof value === "string" || value === null;
}

/** Each element of an array is a value of its own. */
function isTooLong(value: Json): boolean {
  if (Array.isArray(value)) return value.some((inner: Json) => bytesOf(inner) > MAX);
  return bytesOf(value) > MAX;
}

const MAX = shapes.bounds.supplementIndexValueBytes;

function bytesOf(value: Json): number {
  return Buffer.byteLength(typeof value === "string" ? value : JSON.stringify(value));
}
