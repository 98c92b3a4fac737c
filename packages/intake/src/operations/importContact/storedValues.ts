import { type Json, type shapes, toJson, toNumber } from "@headwater/contracts";
import type { Origin } from "@headwater/records/contacts/contactIndex";
import type { FoldState } from "@headwater/records/fold/foldState";
import { knownContact } from "./knownContact.ts";

/**
 * Values that a source can only spell. `all`: attributes without a type are texts, and arrays have texts alone, as in Parquet.
 * `structures`: an array or object of an attribute without a type may stand for its text, as in a file of cells.
 */
type Spelling = "all" | "structures";

/** Reads what spells the stored value of an attribute as that value, and everything else as what it says. */
export function withStoredValues(
  state: FoldState,
  contact: shapes.ContactWrite,
  origin: Origin,
  spelling: Spelling,
): shapes.ContactWrite {
  const known = knownContact(state, origin);
  if (contact.attributes === undefined || known === undefined) return contact;
  const attributes = Object.entries(contact.attributes).map(([name, input]): [string, unknown] => {
    const stored = known.attributes.get(name)?.value;
    if (stored === undefined) return [name, input];
    const type = origin.account.attributes?.get(name)?.type ?? "auto";
    const value = toJson(input);
    if (type === "array") return [name, spelling === "all" && spellsItems(value, stored) ? stored : input];
    const isRead = type === "auto" && (spelling === "all" || isStructure(value));
    return [name, isRead && spellingOf(value) === spellingOf(stored) ? stored : input];
  });
  return { ...contact, attributes: Object.fromEntries(attributes) };
}

function isStructure(value: Json): boolean {
  return typeof value === "object" && value !== null;
}

/** Returns whether each text of the given array spells the stored item in its place. */
function spellsItems(provided: Json, stored: Json): boolean {
  if (!Array.isArray(provided) || !Array.isArray(stored) || provided.length !== stored.length) return false;
  return provided.every((text, index) => typeof text === "string" && spellsItem(text, stored[index] ?? null));
}

/** ClickHouse writes a number with digits of its own, and nothing as an empty text. */
function spellsItem(text: string, stored: Json): boolean {
  if (stored === null) return text === "";
  if (typeof stored === "number") return toNumber(text) === stored;
  return spellingOf(text) === spellingOf(stored);
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
