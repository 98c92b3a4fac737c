import { addressedChannel, type Version } from "@headwater/contracts";
import { type FoldEvent, memberChanged } from "../fold/foldEvents.ts";
import type { MemberPaths } from "./memberPaths.ts";
import { type Contact, isValidChannel } from "./model.ts";

interface IdentifierView {
  readonly name: string;
  /** Value that the contact showed until now. */
  readonly before: string | undefined;
  readonly paths: MemberPaths;
  readonly version: Version;
}

/** Emits whether the channel is valid, where the identifier that a contact shows is its address and no other was written for it. */
export function emitIdentifierValidity(
  events: FoldEvent[],
  contact: Contact,
  { name, before, paths, version }: IdentifierView,
): void {
  const channel = addressedChannel(name);
  const state = channel === undefined ? undefined : (contact.channels.get(channel) ?? {});
  if (channel === undefined || state === undefined || state.address !== undefined) return;
  const value = isValidChannel(channel, state, contact.identifiers.get(name)?.[0]);
  if (isValidChannel(channel, state, before) === value) return;
  memberChanged(events, contact, paths.channel(channel).valid, { value, version });
}
