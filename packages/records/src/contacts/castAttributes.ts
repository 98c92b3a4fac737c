import { type Account, type AttributeRules, castWritten, type Json } from "@headwater/contracts";
import { castGeoMember, type GeoEdit, type GeoMember, geoMember } from "./geoMembers.ts";

/** Attributes of a write in the types of their definitions. */
export interface CastAttributes {
  readonly kind: "cast";
  readonly attributes: Readonly<Record<string, unknown>>;
  /** Members of geo attributes that were written one by one (`home.city`, `home.loc.lat`), by name of the attribute. */
  readonly geoEdits: ReadonlyMap<string, GeoEdit>;
}

export interface RefusedAttributes {
  readonly kind: "refused";
  readonly code: "UNKNOWN_ATTRIBUTE" | "ATTRIBUTE_TYPE_MISMATCH" | "VALIDATION_ERROR";
  readonly message: string;
  /** The attributes that are wrong, each with its own reason. */
  readonly reasons: readonly { readonly name: string; readonly message: string }[];
}

const REASONS_MAX = 100;
const noEdits: CastAttributes["geoEdits"] = new Map();

/** Returns attributes of which no definition says anything. */
export function uncastAttributes(attributes: CastAttributes["attributes"]): CastAttributes {
  return { kind: "cast", attributes, geoEdits: noEdits };
}

/**
 * Reads the attributes of a write by their definitions. Nothing is refused half: any wrong value refuses all of them.
 * @param attributes `channels` among them is left as it is.
 */
export function castAttributes(
  attributes: Readonly<Record<string, unknown>>,
  { attributes: rules, settings }: Pick<Account, "attributes" | "settings">,
): CastAttributes | RefusedAttributes {
  if (settings.strictAttributes) {
    const refused = refuseUnknown(attributes, { attributes: rules, settings });
    if (refused.kind === "refused") return refused;
  }
  if (rules === undefined || rules.size === 0) return uncastAttributes(attributes);
  return new Casting(rules, settings.timezone).cast(attributes);
}

/** Refuses parts of a location that would stay without the other. @param names of the parts, as they were given. */
export function refuseHalves(names: readonly string[]): RefusedAttributes {
  const wrong = "`loc` must have both `lat` and `lon`.";
  const reasons = names.slice(0, REASONS_MAX).map((name) => ({ name, message: wrong }));
  const message = `The attribute ${JSON.stringify(names[0])}: ${wrong}`;
  return { kind: "refused", code: "ATTRIBUTE_TYPE_MISMATCH", message, reasons };
}

/** Attributes that a contact must have to be made, and that a write of one lacks. */
export function missingAttributes(
  attributes: Readonly<Record<string, unknown>> = {},
  rules?: AttributeRules,
): string[] {
  if (rules === undefined) return [];
  const isPresent = (name: string) => attributes[name] !== undefined && attributes[name] !== null;
  return [...rules]
    .filter(([name, rule]) => rule.validators?.required === true && !isPresent(name))
    .map(([name]) => name);
}

/** Names of the account's identifiers need no definition: their values stand nowhere else in a body of `/v2`. */
function refuseUnknown(
  attributes: Readonly<Record<string, unknown>>,
  { attributes: rules = new Map(), settings }: Pick<Account, "attributes" | "settings">,
): CastAttributes | RefusedAttributes {
  const known = new Set(["channels", ...settings.identifiers.map(({ name }) => name)]);
  const unknown = Object.keys(attributes).filter(
    (name) => !known.has(name) && !rules.has(name) && !geoMember(name, rules),
  );
  if (unknown.length === 0) return uncastAttributes(attributes);
  const names = unknown.slice(0, REASONS_MAX);
  const [first = ""] = names;
  const message = `The attribute ${JSON.stringify(first)} is not defined, and the account accepts only defined attributes.`;
  const reasons = names.map((name) => ({
    name,
    message: "The attribute is not defined, and the account accepts only defined attributes.",
  }));
  return { kind: "refused", code: "UNKNOWN_ATTRIBUTE", message, reasons };
}

class Casting {
  readonly #rules: AttributeRules;
  readonly #timezone: string;
  readonly #geoEdits = new Map<string, Record<string, Json>>();
  readonly #reasons: { name: string; message: string; isType: boolean }[] = [];

  constructor(rules: AttributeRules, timezone: string) {
    this.#rules = rules;
    this.#timezone = timezone;
  }

  cast(attributes: Readonly<Record<string, unknown>>): CastAttributes | RefusedAttributes {
    const result: Record<string, unknown> = {};
    for (const [name, input] of Object.entries(attributes)) {
      if (name === "channels") result[name] = input;
      else this.#castOne(name, toJson(input), result);
    }
    const [first] = this.#reasons;
    if (first === undefined) return { kind: "cast", attributes: result, geoEdits: this.#geoEdits };
    const code = this.#reasons.some(({ isType }) => isType) ? "ATTRIBUTE_TYPE_MISMATCH" : "VALIDATION_ERROR";
    const message = `The attribute ${JSON.stringify(first.name)}: ${first.message}`;
    return { kind: "refused", code, message, reasons: this.#reasons.slice(0, REASONS_MAX) };
  }

  #castOne(name: string, provided: Json, result: Record<string, unknown>): void {
    const rule = this.#rules.get(name);
    const member = rule === undefined ? geoMember(name, this.#rules) : undefined;
    const cast = rule && castWritten(rule, provided, this.#timezone);
    if (member !== undefined) this.#castMember(name, member, provided);
    else if (cast === undefined) result[name] = provided;
    else if (cast.kind === "value") result[name] = cast.value;
    else this.#reasons.push({ name, message: cast.message, isType: cast.kind === "mismatch" });
  }

  #castMember(name: string, { attribute, member }: GeoMember, received: Json): void {
    const value = castGeoMember(member, received);
    if (value === undefined) {
      this.#reasons.push({ name, message: "The member is not part of the type geo.", isType: true });
      return;
    }
    this.#geoEdits.set(attribute, { ...this.#geoEdits.get(attribute), [member]: value });
  }
}

/** Attribute values came through `JSON.parse` of intake, or out of the log. */
export function toJson(value: unknown): Json {
  return isJson(value) ? value : null;
}

function isJson(value: unknown): value is Json {
  return value !== undefined && typeof value !== "function" && typeof value !== "symbol" && typeof value !== "bigint";
}
