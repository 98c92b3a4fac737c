import type { Origin } from "@headwater/records/contacts/contactIndex";
import type { Contact } from "@headwater/records/contacts/model";
import type { FoldState } from "@headwater/records/fold/foldState";

/** Returns the contact that the first of the record's identifiers finds; undefined when none finds anybody. */
export function knownContact(state: FoldState, { read, version }: Origin): Contact | undefined {
  const input = read?.given;
  if (input?.kind !== "ok") return undefined;
  for (const identifier of input.identifiers) {
    const owner = state.find(identifier, version);
    if (owner !== undefined) return owner;
  }
  return undefined;
}
