import { type ContactWrite, identifierRules, isObject } from "@headwater/contracts";
import {
  type CastAttributes,
  castAttributes,
  type RefusedAttributes,
  refuseHalves,
  uncastAttributes,
} from "./castAttributes.ts";
import type { Origin } from "./contactIndex.ts";
import { editGeo, geoMember } from "./geoMembers.ts";
import type { Contact } from "./model.ts";
import { allowedMembers, isSet } from "./restrictedMembers.ts";

/** Attributes that a write may change, in the types of their definitions. */
export interface AllowedAttributes {
  readonly kind: "allowed";
  readonly cast: CastAttributes;
  /** Number of attributes that the contact keeps because they are restricted. */
  readonly restricted: number;
}

/**
 * Reads attributes that were refused once more, by what may be written of them: a value that is left in any case cannot be wrong.
 * @param contact the one that the record meets; undefined when there is none.
 */
export function castAllowed(
  write: ContactWrite,
  refused: RefusedAttributes,
  { contact, origin }: { readonly contact: Contact | undefined; readonly origin: Origin },
): AllowedAttributes | RefusedAttributes {
  if (!isWritten(write, contact)) return { kind: "allowed", cast: uncastAttributes({}), restricted: 0 };
  const { attributes = {}, restrictedUpdateAttrKeys = [] } = write;
  if (contact === undefined || restrictedUpdateAttrKeys.length === 0) return refused;
  const restricted = new Set(restrictedUpdateAttrKeys);
  const free = Object.entries(attributes).filter(([name]) => !isStored(contact, name, { restricted, origin }));
  const cast = castAttributes(Object.fromEntries(free), origin.account);
  if (cast.kind === "refused") return cast;
  return { kind: "allowed", cast, restricted: Object.keys(attributes).length - free.length };
}

/** Returns whether a write has the right to its attributes: to create the contact, or to update the one that it meets. */
function isWritten({ canBeCreated, canBeUpdated }: ContactWrite, contact: Contact | undefined): boolean {
  return (contact === undefined ? canBeCreated : canBeUpdated) === true;
}

interface Restriction {
  readonly restricted: ReadonlySet<string>;
  readonly origin: Origin;
}

/** Refuses a write that would leave half of a location: parts of one are written into what the contact has. */
export function refuseHalfLocations(
  { geoEdits }: CastAttributes,
  write: ContactWrite,
  contact: Contact | undefined,
): RefusedAttributes | undefined {
  if (geoEdits.size === 0 || !isWritten(write, contact)) return undefined;
  const restricted = new Set(contact === undefined ? [] : write.restrictedUpdateAttrKeys);
  const halves = [...geoEdits].flatMap(([name, edit]) => {
    const before = contact?.attributes.get(name)?.value ?? null;
    if (before !== null && restricted.has(name)) return [];
    const known = isObject(before) ? before : {};
    if (editGeo(known, allowedMembers(name, { before: known, edit }, restricted)) !== undefined) return [];
    return Object.keys(edit).flatMap((member) => (member.startsWith("loc.") ? [`${name}.${member}`] : []));
  });
  return halves.length === 0 ? undefined : refuseHalves(halves);
}

/** Returns whether the contact has a value of the attribute that the write must not change. */
function isStored(contact: Contact, name: string, { restricted, origin }: Restriction): boolean {
  if (name === "channels") return false;
  const { attributes: rules = new Map(), settings } = origin.account;
  const { formats } = identifierRules(settings);
  if (restricted.has(name) && isSet(contact.attributes.get(name), { contact, formats, identifier: name })) return true;
  const at = geoMember(name, rules);
  const before = (at && contact.attributes.get(at.attribute)?.value) ?? null;
  if (at === undefined || !isObject(before)) return false;
  if (restricted.has(at.attribute)) return true;
  return Object.keys(allowedMembers(at.attribute, { before, edit: { [at.member]: null } }, restricted)).length === 0;
}
