import type { Version } from "@headwater/contracts";
import type { Contact } from "./model.ts";

/**
 * Deletions of an account's definitions, by name of the attribute: the greatest version of each. A value written up to it is gone, even
 * where it still stands in a document; a write above it starts again.
 */
export type AttributeClears = ReadonlyMap<string, Version>;

/** Clears of an account that never deleted a definition. */
export const noAttributeClears: AttributeClears = new Map();

/** Takes from the contact what deletions of definitions took. Doing it again does nothing. @returns whether there was something. */
export function removeCleared(contact: Contact, clears: AttributeClears): boolean {
  if (clears.size === 0) return false;
  const gone: [name: string, clear: Version][] = [];
  contact.attributes.forEach((name, value, version) => {
    const clear = clears.get(name);
    if (clear === undefined || version > clear) return;
    if (value !== null || version < clear) gone.push([name, clear]);
  });
  for (const [name, clear] of gone) contact.attributes.set(name, { value: null, version: clear });
  return gone.length > 0;
}
