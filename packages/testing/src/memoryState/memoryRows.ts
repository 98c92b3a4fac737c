import { hashAddress, type Identifier, readHashedName, timeOfVersion, type Version } from "@headwater/contracts";
import { type ContactRow, toDocument } from "@headwater/records/contacts/contactDocument";
import { toMergeDocument } from "@headwater/records/contacts/mergeDocument";
import type { Contact } from "@headwater/records/contacts/model";
import type { MergeRecord, MergeRow } from "@headwater/records/contacts/storedMerge";
import type { FoldEvent, FoldResult } from "@headwater/records/fold/foldEvents";
import type { Membership } from "@headwater/records/lists/list";

/** Returns whether a member was on the list before it was cleared and put on it again since: the second may not have been emitted. */
export function isStoredBy(clear: Version, { present, version, joinedAt }: Membership): boolean {
  return present && version > clear && joinedAt <= timeOfVersion(clear);
}

/** The version of the split that emitted a membership as later than the clear which takes it. */
export function returned(
  merges: readonly MergeRow[],
  clear: Version,
  { contact, present, version }: Membership,
): Version | undefined {
  if (!present || version > clear) return undefined;
  const splits = merges.filter(({ survivor }) => survivor === contact);
  const later = splits.flatMap(({ undoneVersion }) =>
    undoneVersion !== null && undoneVersion > clear ? undoneVersion : [],
  );
  return later.sort().at(-1);
}

/** Adds all entries of another map. */
export function fill<Key, Value>(map: Map<Key, Value>, from: ReadonlyMap<Key, Value>): void {
  for (const [key, value] of from) map.set(key, value);
}

export function ownerKey(account: number, { name, value }: Identifier): string {
  return `${account}\n${name}\n${value}`;
}

/** The address that a hash stands for, of those that somebody has (keys of `ownerKey`) or had; null when there is none. */
export function addressOfHash(
  { account, identifier }: { readonly account: number; readonly identifier: Identifier },
  owned: readonly string[],
  formers: readonly (Identifier & { readonly account: number })[],
): string | null {
  const hashed = readHashedName(identifier.name);
  const known = [...owned.map(fromOwnerKey), ...formers];
  const found = known.find((one) => {
    if (hashed === undefined || one.account !== account || one.name !== hashed.name) return false;
    return hashAddress(hashed.encoding, one.value) === identifier.value;
  });
  return found?.value ?? null;
}

function fromOwnerKey(key: string): Identifier & { readonly account: number } {
  const [account = "", name = "", value = ""] = key.split("\n", 3);
  return { account: Number(account), name, value };
}

export function toRow(contact: Contact): ContactRow {
  const { account, number, cid, createdAt, modifiedAt, version } = contact;
  const mergedInto = contact.mergedInto ?? null;
  return { account, number, cid, createdAt, modifiedAt, version, mergedInto, doc: toDocument(contact) };
}

export function toMergeRow(record: MergeRecord): MergeRow {
  const { survivor, merged, version, recordId: byRecord } = record;
  const numbers = { survivor: survivor.number, merged: merged.number };
  return { ...numbers, version, byRecord, undoneVersion: null, before: toMergeDocument(record) };
}

/** The contact and all that were merged into it, directly or not. */
export function mergedInto(merges: readonly MergeRow[], contact: number): Set<number> {
  const own = new Set([contact]);
  const active = merges.filter(({ undoneVersion }) => undoneVersion === null);
  for (const number of own) for (const { survivor, merged } of active) if (survivor === number) own.add(merged);
  return own;
}

/** Returns the change events of what a fold returned. */
export function eventsOf(result: unknown): readonly FoldEvent[] {
  return hasEvents(result) ? result.changeEvents : [];
}

function hasEvents(result: unknown): result is FoldResult {
  return typeof result === "object" && result !== null && "changeEvents" in result;
}
