import { type AttributeRules, isGeo, isObject, type Json, toGeo, toNumber } from "@headwater/contracts";

/** Members of a geo value that a write names one by one: `city`, or a part of `loc` as `loc.lat`. */
export type GeoEdit = Readonly<Record<string, Json>>;

export interface GeoMember {
  readonly attribute: string;
  readonly member: string;
}

const LOC = ".loc";

/** Returns the place of `home.city` or `home.loc.lat`, where `home` is declared as geo; undefined for a name that is an attribute of its own. */
export function geoMember(name: string, rules: AttributeRules): GeoMember | undefined {
  const dot = name.lastIndexOf(".");
  if (dot < 1 || rules.has(name)) return undefined;
  const above = name.slice(0, dot);
  const rule = rules.get(above);
  if (rule === undefined && above.endsWith(LOC)) return memberOf(name, above.slice(0, -LOC.length), rules);
  return rule?.type === "geo" ? { attribute: above, member: name.slice(dot + 1) } : undefined;
}

function memberOf(name: string, attribute: string, rules: AttributeRules): GeoMember | undefined {
  return rules.get(attribute)?.type === "geo" ? { attribute, member: name.slice(attribute.length + 1) } : undefined;
}

type LocPart = "lat" | "lon";

function locPart(member: string): LocPart | undefined {
  if (member === "loc.lat") return "lat";
  return member === "loc.lon" ? "lon" : undefined;
}

/** Returns a member's value as the type has it; undefined for a value or a member that the type does not have. */
export function castGeoMember(member: string, input: Json): Json | undefined {
  const part = locPart(member);
  if (part === undefined) return isGeo({ [member]: input }) ? input : undefined;
  if (input === null) return null;
  const degrees = toNumber(input);
  return degrees !== undefined && isGeo({ loc: { lat: 0, lon: 0, [part]: degrees } }) ? degrees : undefined;
}

/** Returns the value of a member; null when there is none. */
export function geoMemberOf(position: GeoEdit, member: string): Json {
  const part = locPart(member);
  const { loc = null } = position;
  if (part === undefined) return position[member] ?? null;
  return isObject(loc) ? (loc[part] ?? null) : null;
}

/** Returns whether a member may not be changed: because of its own name, or of that of the member it is part of. */
export function isRestrictedMember(name: string, member: string, restricted: ReadonlySet<string>): boolean {
  return restricted.has(`${name}.${member}`) || (locPart(member) !== undefined && restricted.has(name + LOC));
}

/**
 * Returns a place with its members written; a part of `loc` keeps the other one that is there.
 * @returns undefined when only one of both would be there.
 */
export function editGeo(before: GeoEdit, edit: GeoEdit): Json | undefined {
  const { "loc.lat": lat, "loc.lon": lon, ...members } = edit;
  const after = { ...before, ...members };
  if (lat === undefined && lon === undefined) return toGeo(after);
  const known = isObject(after.loc ?? null) ? after.loc : undefined;
  const loc = toGeo({ ...Object(known), ...(lat !== undefined && { lat }), ...(lon !== undefined && { lon }) });
  return loc === null || isGeo({ loc }) ? toGeo({ ...after, loc }) : undefined;
}
