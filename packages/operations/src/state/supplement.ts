import type { shapes, Version, Written } from "@headwater/contracts";
import { fromMembersDocument } from "./membersDocument.ts";

/** The definition of a table of records. */
export interface Supplement {
  readonly id: number;
  readonly key: string;
  readonly indexes: readonly shapes.SupplementIndex[];
  /** Each record belongs to the contact that its `cID` or `email` finds. */
  readonly contactObject: boolean;
  readonly autogenerateIDs: boolean;
  /** Records with a lower version are gone. */
  readonly clearedVersion: Version | undefined;
}

export interface SupplementRecord {
  /** Number of the table in its account. */
  readonly supplement: number;
  readonly id: string;
  /** The contact it was written for, by the number it was found under: merges made later are resolved when it is read. */
  readonly contact: number | undefined;
  /** Milliseconds since 1970, like `modifiedAt`. */
  readonly createdAt: number;
  readonly modifiedAt: number;
  /** The greatest version among its writes. */
  readonly version: Version;
  /** Each field with the version of its last write; null = removed. */
  readonly members: ReadonlyMap<string, Written>;
}

/** What folds see of the tables of one account. */
export interface SupplementAccess {
  supplement(key: string): Supplement | undefined;
  supplementRecord(supplement: number, id: string): SupplementRecord | undefined;
  /** `visible` false: only versions moved. */
  setSupplementRecord(record: SupplementRecord, visible: boolean): void;
}

/** A record as stored; `doc` is a document of members. */
export interface SupplementRecordRow {
  readonly contact: number | null;
  readonly createdAt: number;
  readonly modifiedAt: number;
  readonly version: Version;
  readonly doc: string;
}

export function fromSupplementRecordRow(supplement: number, id: string, row: SupplementRecordRow): SupplementRecord {
  const { contact, createdAt, modifiedAt, version, doc } = row;
  const members = fromMembersDocument(doc);
  return { supplement, id, contact: contact ?? undefined, createdAt, modifiedAt, version, members };
}
