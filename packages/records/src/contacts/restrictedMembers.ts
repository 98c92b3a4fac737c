import type { IdentifierRules, Json, Written } from "@headwater/contracts";
import { geoMemberOf, isRestrictedMember } from "./geoMembers.ts";
import type { Contact } from "./model.ts";
import { isIdentifierAttribute } from "./readIdentifiers.ts";

/** Returns whether a member has a value: one that was written, or the identifier that is shown in its place. */
export function isSet(current: Written | undefined, { contact, formats, identifier }: IdentifierInPosition): boolean {
  if (current !== undefined) return current.value !== null;
  if (identifier === undefined || !isIdentifierAttribute(identifier, formats)) return false;
  return contact.identifiers.get(identifier)?.[0] !== undefined;
}

interface IdentifierInPosition {
  readonly contact: Contact;
  readonly formats: IdentifierRules["formats"];
  /** Name under which the member's value finds the contact, if it does; undefined for members that never do. */
  readonly identifier: string | undefined;
}

/** Returns the members of a geo attribute's edit that may be written: not those that are restricted and have a value. */
export function allowedMembers(
  name: string,
  { before, edit }: { readonly before: Readonly<Record<string, Json>>; readonly edit: Readonly<Record<string, Json>> },
  restricted: ReadonlySet<string>,
): Record<string, Json> {
  const isFree = (member: string) =>
    !isRestrictedMember(name, member, restricted) || geoMemberOf(before, member) === null;
  return Object.fromEntries(Object.entries(edit).filter(([member]) => isFree(member)));
}
