import { type Identifier, timeOfVersion, type Version } from "@headwater/contracts";
import type { Membership } from "@headwater/domain";
import { type Contact, type ContactRow, type MergeRow, toDocument } from "@headwater/domain/contact";

/** On the list before it was cleared, and put on it again since: the second may not have been told. */
export function isKeptBy(clear: Version, { present, version, joinedAt }: Membership): boolean {
  return present && version > clear && joinedAt <= timeOfVersion(clear);
}

export function ownerKey(account: number, { name, value }: Identifier): string {
  return `${account}\n${name}\n${value}`;
}

export function toRow(contact: Contact): ContactRow {
  const { account, number, cid, createdAt, modifiedAt, version } = contact;
  const mergedInto = contact.mergedInto ?? null;
  return { account, number, cid, createdAt, modifiedAt, version, mergedInto, doc: toDocument(contact) };
}

/** The contact and all that were merged into it, directly or not. */
export function mergedInto(merges: readonly MergeRow[], contact: number): Set<number> {
  const own = new Set([contact]);
  const standing = merges.filter(({ undoneVersion }) => undoneVersion === null);
  for (const number of own) for (const { survivor, merged } of standing) if (survivor === number) own.add(merged);
  return own;
}
