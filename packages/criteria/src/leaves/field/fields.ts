import { defaultChannels } from "@headwater/contracts";
import type { FieldType } from "../../criteria.ts";
import type { CriteriaContext } from "../../parse/context.ts";
import type { GeoPart } from "./field.ts";

/**
 * The field paths of an account: its attributes with their declared types, its identifiers, its channels, and the
 * contact's own columns.
 */
export function knownFields(account: {
  readonly attributes: Iterable<readonly [key: string, type: FieldType]>;
  readonly identifiers: Iterable<string>;
  readonly channels?: Iterable<string>;
}): Map<string, FieldType> {
  const fields = new Map<string, FieldType>([
    ["cID", "string"],
    ["createdAt", "date"],
    ["lastModified", "date"],
  ]);
  for (const channel of new Set([...defaultChannels, ...(account.channels ?? [])])) {
    fields.set(addressField(channel), "string");
    fields.set(`channels.${channel}.subscribeStatus`, "string");
    fields.set(`channels.${channel}.subscribedAt`, "date");
    fields.set(`channels.${channel}.unsubscribedAt`, "date");
    fields.set(`channels.${channel}.valid`, "boolean");
  }
  for (const name of account.identifiers) fields.set(`identifiers.${name}`, "string");
  for (const [key, type] of account.attributes) fields.set(`attributes.${key}`, type);
  return fields;
}

/** The field that every channel has. */
export function addressField(channel: string): string {
  return `channels.${channel}.address`;
}

/** The channels that have fields. */
export function channelsOf(fields: ReadonlyMap<string, FieldType>): string[] {
  return [...fields.keys()].flatMap((field) => /^channels\.(.+)\.address$/.exec(field)?.[1] ?? []);
}

export const GEO_PARTS: readonly GeoPart[] = ["city", "state", "postal_code", "country"];

/** Finds the geo attribute whose part a path names: `attributes.home.city`. */
export function geoPartOf(
  name: string,
  fields: CriteriaContext["fields"],
): { readonly field: string; readonly type: "geo" | "auto"; readonly part: GeoPart } | undefined {
  const part = GEO_PARTS.find((candidate) => name.endsWith(`.${candidate}`));
  if (part === undefined || !name.startsWith("attributes.")) return undefined;
  const field = name.slice(0, -part.length - 1);
  const type = fields.get(field);
  return type === "geo" || type === "auto" ? { field, type, part } : undefined;
}
