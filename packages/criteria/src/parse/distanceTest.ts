import { listedWord } from "@headwater/kernel";
import type { Test } from "../criteria.ts";
import { type Coordinates, postalLocation } from "./context.ts";
import type { Parse } from "./parserRun.ts";
import { checkMembers, isJsonObject, type JsonObject, pointer } from "./problems.ts";

const METRES = { km: 1_000, mi: 1_609.344 } as const;

/** `{lat, lon}` or `{postalCode, country}`, with `distance` and `unit`. */
export function parseDistance(value: unknown, at: string, parse: Parse): Test | undefined {
  const { problems } = parse;
  if (!isJsonObject(value)) return problems.add("type_mismatch", at, "the value must be {lat, lon, distance, unit}");
  const isPostal = ["postalCode", "country"].some((member) => Object.hasOwn(value, member));
  const path = isPostal ? ["postalCode", "country"] : ["lat", "lon"];
  checkMembers(problems, value, at, [...path, "distance", "unit"]);
  const center = isPostal ? parsePostalCode(value, at, parse) : parsePoint(value, at, parse);
  const distance = parseBounded(value, "distance", [0, 50_000], at, parse);
  const unit = listedWord(["km", "mi"], value.unit);
  if (unit === undefined) {
    return problems.add("bad_value", pointer(at, "unit"), "the unit must be km or mi", ["km", "mi"]);
  }
  if (center === undefined || distance === undefined) return undefined;
  return { kind: "distance", ...center, metres: distance * METRES[unit] };
}

function parsePoint(value: JsonObject, at: string, parse: Parse): Coordinates | undefined {
  const lat = parseBounded(value, "lat", [-90, 90], at, parse);
  const lon = parseBounded(value, "lon", [-180, 180], at, parse);
  return lat === undefined || lon === undefined ? undefined : { lat, lon };
}

/** The account's table `postal_codes` knows where a code lies. */
function parsePostalCode(value: JsonObject, at: string, { context, problems }: Parse): Coordinates | undefined {
  const { country, postalCode } = value;
  if (typeof postalCode !== "string" || postalCode.trim() === "") {
    problems.add("type_mismatch", pointer(at, "postalCode"), "a postal code must be a text");
  }
  if (typeof country !== "string" || !/^[a-z]{2}$/i.test(country)) {
    return problems.add("bad_value", pointer(at, "country"), "a country must be two letters");
  }
  if (typeof postalCode !== "string" || postalCode.trim() === "") return undefined;
  const found = context.postalCodes?.get(postalLocation({ country, postalCode }));
  if (found !== undefined) return found;
  const missing =
    context.postalCodes === undefined
      ? "postal codes need a supplement table postal_codes with country, postalCode, lat and lon"
      : "the table postal_codes has no such code with coordinates";
  return problems.add("unknown_reference", pointer(at, "postalCode"), missing);
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
