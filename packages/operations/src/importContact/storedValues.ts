import type { Json, shapes } from "@headwater/contracts";
import { type FoldState, toJson } from "@headwater/domain";
import type { Origin } from "@headwater/domain/contact";
import { knownContact } from "./knownContact.ts";

/**
 * Reads the attributes without a type of a source that can only spell their values, as Parquet has texts for all of them: what spells the
 * stored value is that value, and everything else what it says.
 * @param canBeSpelled tells which values are texts perhaps; default all.
 */
export function withStoredValues(
  state: FoldState,
  contact: shapes.ContactWrite,
  origin: Origin,
  canBeSpelled: (value: unknown) => boolean = () => true,
): shapes.ContactWrite {
  const known = knownContact(state, origin);
  if (contact.attributes === undefined || known === undefined) return contact;
  const isTyped = (name: string) => (origin.account.attributes?.get(name)?.type ?? "auto") !== "auto";
  const attributes = Object.entries(contact.attributes).map(([name, value]): [string, unknown] => {
    const stored = isTyped(name) || !canBeSpelled(value) ? undefined : known.attributes.get(name)?.value;
    return [name, stored !== undefined && spellingOf(toJson(value)) === spellingOf(stored) ? stored : value];
  });
  return { ...contact, attributes: Object.fromEntries(attributes) };
}

export function isStructure(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}

/** The text of a value; that of an array or object is the same however it was written. */
function spellingOf(value: Json): string {
  if (typeof value !== "string") return JSON.stringify(value);
  if (!value.startsWith("[") && !value.startsWith("{")) return value;
  try {
    return JSON.stringify(JSON.parse(value));
  } catch (error) {
    if (error instanceof SyntaxError) return value;
    throw error;
  }
}
