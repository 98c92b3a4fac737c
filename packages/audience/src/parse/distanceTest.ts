import type { Test } from "../criteria.ts";
import type { Parse } from "./parserRun.ts";
import { checkMembers, isJsonObject, type JsonObject, pointer } from "./problems.ts";

const METRES = { km: 1_000, mi: 1_609.344 } as const;

/** `{lat, lon, distance, unit}`. Postal codes need the account's coordinates, which are not available yet. */
export function parseDistance(value: unknown, at: string, parse: Parse): Test | undefined {
  const { problems } = parse;
  if (!isJsonObject(value)) return problems.add("type_mismatch", at, "the value must be {lat, lon, distance, unit}");
  if (Object.hasOwn(value, "postalCode")) {
    return problems.add("unknown_reference", pointer(at, "postalCode"), "postal codes are not available yet");
  }
  checkMembers(problems, value, at, ["lat", "lon", "distance", "unit"]);
  const lat = parseBounded(value, "lat", [-90, 90], at, parse);
  const lon = parseBounded(value, "lon", [-180, 180], at, parse);
  const distance = parseBounded(value, "distance", [0, 50_000], at, parse);
  const unit = value.unit;
  if (unit !== "km" && unit !== "mi") {
    return problems.add("bad_value", pointer(at, "unit"), "the unit must be km or mi", ["km", "mi"]);
  }
  if (lat === undefined || lon === undefined || distance === undefined) return undefined;
  return { kind: "distance", lat, lon, metres: distance * METRES[unit] };
}

function parseBounded(
  value: JsonObject,
  member: string,
  [low, high]: readonly [number, number],
  at: string,
  { problems }: Parse,
): number | undefined {
  const number = value[member];
  if (typeof number !== "number") {
    return problems.add("type_mismatch", pointer(at, member), `${member} must be a number`);
  }
  if (number >= low && number <= high) return number;
  return problems.add("bad_value", pointer(at, member), `${member} lies between ${low} and ${high}`);
}
