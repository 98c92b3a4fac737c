import { type Contact, fromRow, type Json, type Side, type Version } from "@headwater/contracts";
import type { MergeRecord } from "./batchChanges.ts";
import type { Cart } from "./cart.ts";
import type { Membership } from "./foldState.ts";

/** What is kept of a merge: all that is needed to show it and to undo it. */
interface MergeDocument {
  /** Documents of both contacts before, as JSON text. */
  readonly survivor: string;
  readonly merged: string;
  readonly explicit?: Side;
  /** Milliseconds since 1970. */
  readonly survivorCreatedAt?: number;
  /** Among the merges of its record. */
  readonly place?: number;
  /** The merged contact's lists, and the survivor's own standing on them. */
  readonly memberships: readonly Membership[];
  readonly ownMemberships?: readonly Membership[];
  readonly carts: { readonly survivor?: Cart; readonly merged?: Cart };
}

/** The stored form of a merge's states before. */
export function toMergeDocument(record: MergeRecord): string {
  const { before, memberships, ownMemberships, carts, place } = record;
  const document: MergeDocument = { ...before, place, memberships, ownMemberships, carts };
  return JSON.stringify(document);
}

/** A merge as it is stored. */
export interface MergeRow {
  readonly survivor: number;
  readonly merged: number;
  readonly version: Version;
  readonly byRecord: string;
  /** Of the write that ended it; null while it stands. */
  readonly undoneVersion: Version | null;
  /** Text of the document. */
  readonly before: string;
}

/** A merge that was stored, with the states before it. */
export interface StoredMerge extends Omit<MergeRow, "before"> {
  readonly place: number;
  readonly before: {
    readonly survivor: Contact;
    readonly merged: Contact;
    readonly explicit: Side | undefined;
    readonly memberships: readonly Membership[];
    readonly ownMemberships: readonly Membership[];
    readonly carts: MergeDocument["carts"];
  };
}

/** A row of ours. Contacts are made anew at each call, so that whoever asks may change them. */
export function fromMergeRow(account: number, { before: text, ...row }: MergeRow): StoredMerge {
  const document: MergeDocument = JSON.parse(text);
  const { survivor, merged, explicit, survivorCreatedAt = 0, place = 0 } = document;
  const { memberships, ownMemberships = [], carts } = document;
  const contact = (number: number, doc: string, createdAt: number) => {
    const { version } = row;
    return fromRow({ account, number, cid: "", createdAt, modifiedAt: 0, version, mergedInto: null, doc });
  };
  const contacts = {
    survivor: contact(row.survivor, survivor, survivorCreatedAt),
    merged: contact(row.merged, merged, 0),
  };
  return { ...row, place, before: { ...contacts, explicit, memberships, ownMemberships, carts } };
}

/** A list's standing as people see it: since when, null = not on it. */
export function joinedAtOf(membership: Membership | undefined): Json {
  return membership?.present === true ? new Date(membership.joinedAt).toISOString() : null;
}
