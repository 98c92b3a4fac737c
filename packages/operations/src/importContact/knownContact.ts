import type { FoldState } from "@headwater/domain";
import type { Contact, Origin } from "@headwater/domain/contact";

/** Returns the contact that the first of the record's identifiers finds; undefined when none finds anybody. */
export function knownContact(state: FoldState, { read, version }: Origin): Contact | undefined {
  const given = read?.given;
  if (given?.kind !== "ok") return undefined;
  for (const identifier of given.identifiers) {
    const owner = state.find(identifier, version);
    if (owner !== undefined) return owner;
  }
  return undefined;
}
