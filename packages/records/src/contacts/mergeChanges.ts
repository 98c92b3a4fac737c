import { type MemberChange, memberChanges } from "../members/memberChanges.ts";
import type { ContactIndex, Origin, Side } from "./contactIndex.ts";
import { mergeExplicitly } from "./explicitMerge.ts";
import { membersView } from "./membersView.ts";
import { mergeInto } from "./merge.ts";
import { addIdentifier, type Contact, dropIdentifier } from "./model.ts";

/** Both contacts as they were when they became one; nobody else holds these objects. */
export interface ContactsBefore {
  readonly survivor: Contact;
  readonly merged: Contact;
  readonly explicit: Side | undefined;
}

/** Returns what a merge changed of its survivor, found by joining both once more. Changes the contacts it is given. */
export function mergeChanges({ survivor, merged, explicit }: ContactsBefore, origin: Origin): MemberChange[] {
  const before = membersView(survivor, origin.version);
  if (explicit === undefined) mergeInto(detached, { survivor, dead: merged }, origin);
  else mergeExplicitly(detached, { source: merged, destination: survivor, attributes: explicit }, origin);
  return memberChanges(before, membersView(survivor, origin.version));
}

/** An index of the two contacts alone: they are changed, and nothing else is. */
const detached: ContactIndex = {
  find: () => undefined,
  owner: () => undefined,
  create: () => {
    throw new Error("a merge makes no contact");
  },
  attach: addIdentifier,
  detach: dropIdentifier,
  ownedUntil: () => undefined,
  formerHolder: () => undefined,
  giveFormer: () => undefined,
  attributeCleared: () => undefined,
  touched: () => undefined,
  merging: () => undefined,
  merged: () => undefined,
};
