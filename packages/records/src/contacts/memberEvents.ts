import type { Version } from "@headwater/contracts";
import { type FoldEvent, memberChanged } from "../fold/foldEvents.ts";
import { memberChanges } from "../members/memberChanges.ts";
import type { Members } from "../members/members.ts";
import { membersView } from "./membersView.ts";
import type { Contact } from "./model.ts";

/** Returns events of what the contact shows otherwise than it did `before`, as of the version. */
export function membersChanged(contact: Contact, before: Members, version: Version): FoldEvent[] {
  const events: FoldEvent[] = [];
  for (const { path, to } of memberChanges(before, membersView(contact, version))) {
    memberChanged(events, contact, path, { value: to, version });
  }
  return events;
}

/** Adds events of everything that the contact shows, as of the version. */
export function membersDisplayed(events: FoldEvent[], contact: Contact, version: Version): void {
  for (const [path, { value }] of membersView(contact, version)) {
    memberChanged(events, contact, path, { value, version });
  }
}
