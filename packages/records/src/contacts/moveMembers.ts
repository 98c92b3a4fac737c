import type { FoldResult } from "../fold/foldEvents.ts";
import type { ContactIndex, Origin } from "./contactIndex.ts";
import { membersChanged, membersDisplayed } from "./memberEvents.ts";
import { membersView } from "./membersView.ts";
import type { Contact } from "./model.ts";

export interface MembersMoved extends FoldResult {
  readonly contact: Contact;
}

/**
 * Moves everything a contact is and is found by into a new one. What is left is a contact that nobody finds but by its cID: it
 * keeps what hangs on its number.
 */
export function moveMembers(index: ContactIndex, from: Contact, origin: Origin): MembersMoved {
  const { version } = origin;
  const view = membersView(from, version);
  const created = index.create(origin);
  created.createdAt = from.createdAt;
  created.apart = from.apart;
  created.lost = from.lost;
  from.lost = true;
  created.identifierHistory = from.identifierHistory;
  index.giveFormer(from, created);
  for (const [name, values] of [...from.identifiers]) {
    for (const value of [...values]) {
      index.detach(from, { name, value });
      index.attach(created, { name, value }, false);
    }
  }
  for (const [name, written] of [...from.attributes]) {
    created.attributes.set(name, written);
    from.attributes.set(name, { value: null, version });
  }
  for (const [name, state] of [...from.channels]) created.channels.set(name, state);
  from.channels.clear();
  const changeEvents = membersChanged(from, view, version);
  membersDisplayed(changeEvents, created, version);
  return { contact: created, changeEvents };
}
