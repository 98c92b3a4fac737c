import type { FoldResult } from "../fold/foldEvents.ts";
import type { ContactIndex, Origin } from "./contactIndex.ts";
import { membersChanged, membersShown } from "./memberEvents.ts";
import type { Contact } from "./model.ts";
import { shownMembers } from "./shownMembers.ts";

export interface MembersMoved extends FoldResult {
  readonly contact: Contact;
}

/**
 * Moves everything a contact is and is found by into a new one. What is left is a contact that nobody finds but by its cID: it
 * keeps what hangs on its number.
 */
export function moveMembers(index: ContactIndex, from: Contact, origin: Origin): MembersMoved {
  const { version } = origin;
  const shown = shownMembers(from, version);
  const made = index.create(origin);
  made.createdAt = from.createdAt;
  made.apart = from.apart;
  made.lost = from.lost;
  from.lost = true;
  made.identifierHistory = from.identifierHistory;
  index.giveFormer(from, made);
  for (const [name, values] of [...from.identifiers]) {
    for (const value of [...values]) {
      index.detach(from, { name, value });
      index.attach(made, { name, value }, false);
    }
  }
  for (const [name, written] of [...from.attributes]) {
    made.attributes.set(name, written);
    from.attributes.set(name, { value: null, version });
  }
  for (const [name, state] of [...from.channels]) made.channels.set(name, state);
  from.channels.clear();
  const changeEvents = membersChanged(from, shown, version);
  membersShown(changeEvents, made, version);
  return { contact: made, changeEvents };
}
