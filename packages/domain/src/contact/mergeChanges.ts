import { type MemberChange, memberChanges } from "../members/memberChanges.ts";
import type { ContactIndex, Origin, Side } from "./contactIndex.ts";
import { mergeExplicitly } from "./explicitMerge.ts";
import { mergeInto } from "./merge.ts";
import type { Contact } from "./model.ts";
import { shownMembers } from "./shownMembers.ts";

/** Both contacts as they were when they became one; nobody else holds these objects. */
export interface ContactsBefore {
  readonly survivor: Contact;
  readonly merged: Contact;
  readonly explicit: Side | undefined;
}

/** Returns what a merge changed of its survivor, found by joining both once more. Changes the contacts it is given. */
export function mergeChanges({ survivor, merged, explicit }: ContactsBefore, origin: Origin): MemberChange[] {
  const before = shownMembers(survivor, origin.version);
  if (explicit === undefined) mergeInto(detached, { survivor, dead: merged }, origin);
  else mergeExplicitly(detached, { source: merged, destination: survivor, attributes: explicit }, origin);
  return memberChanges(before, shownMembers(survivor, origin.version));
}

/** An index of the two contacts alone: they are changed, and nobody is told. */
const detached: ContactIndex = {
  find: () => undefined,
  owner: () => undefined,
  create: () => {
    throw new Error("a merge makes no contact");
  },
  attach: (contact, { name, value }, shown) => {
    const others = (contact.identifiers.get(name) ?? []).filter((other) => other !== value);
    contact.identifiers.set(name, shown ? [value, ...others] : [...others, value]);
  },
  detach: (contact, { name, value }) => {
    const others = (contact.identifiers.get(name) ?? []).filter((other) => other !== value);
    if (others.length > 0) contact.identifiers.set(name, others);
    else contact.identifiers.delete(name);
  },
  ownedUntil: () => undefined,
  formerHolder: () => undefined,
  giveFormer: () => undefined,
  attributeCleared: () => undefined,
  changed: () => undefined,
  touched: () => undefined,
  merging: () => undefined,
  merged: () => undefined,
};
