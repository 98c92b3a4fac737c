import type { Json } from "@headwater/contracts";
import type { Membership } from "../lists/list.ts";
import type { AttributeClears } from "./attributeClears.ts";
import { fromRow } from "./contactDocument.ts";
import type { Side } from "./contactIndex.ts";
import type { CartsOfPair, MergeRecord, MergeRow, StoredMerge } from "./storedMerge.ts";

/** Stored form of a merge: all that is needed to show it and to undo it. */
interface MergeDocument {
  /** Documents of both contacts before, as JSON text. */
  readonly survivor: string;
  readonly merged: string;
  readonly explicit?: Side;
  /** Milliseconds since 1970. */
  readonly survivorCreatedAt?: number;
  /** Position among the merges of its record. */
  readonly place?: number;
  /** The merged contact's lists, and the survivor's own memberships of them. */
  readonly memberships: readonly Membership[];
  readonly ownMemberships?: readonly Membership[];
  readonly carts: CartsOfPair;
}

/** The stored form of a merge's states before. */
export function toMergeDocument(record: MergeRecord): string {
  const { before, memberships, ownMemberships, carts, place: position } = record;
  const document: MergeDocument = { ...before, place: position, memberships, ownMemberships, carts };
  return JSON.stringify(document);
}

/**
 * A row of ours. Contacts are made again at each call, so that whoever asks may change them.
 * @param clears of the account: attributes that are gone do not come back with the end of a merge, and are not shown.
 */
export function fromMergeRow(
  account: number,
  { before: text, ...row }: MergeRow,
  clears?: AttributeClears,
): StoredMerge {
  const document: MergeDocument = JSON.parse(text);
  const { survivor, merged, explicit, survivorCreatedAt = 0, place = 0 } = document;
  const { memberships, ownMemberships = [], carts } = document;
  const contact = (number: number, doc: string, createdAt: number) => {
    const { version } = row;
    return fromRow({ account, number, cid: "", createdAt, modifiedAt: 0, version, mergedInto: null, doc }, clears);
  };
  const contacts = {
    survivor: contact(row.survivor, survivor, survivorCreatedAt),
    merged: contact(row.merged, merged, 0),
  };
  return { ...row, place, before: { ...contacts, explicit, memberships, ownMemberships, carts } };
}

/** The join time that answers show; null without a membership. */
export function joinedAtOf(membership: Membership | undefined): Json {
  return membership?.present === true ? new Date(membership.joinedAt).toISOString() : null;
}
