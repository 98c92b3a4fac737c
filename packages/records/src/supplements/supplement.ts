import type { shapes, Version, Written } from "@headwater/contracts";
import { fromMembersDocument } from "../members/membersDocument.ts";

/** An index of a table, as it stands in its entries. */
export interface SupplementIndexSlot extends shapes.SupplementIndex {
  /** Names the index in its entries. */
  readonly slot: number;
  /** Dates alone are read in this zone. */
  readonly timezone: string;
}

/** The definition of a table of records. */
export interface Supplement {
  readonly id: number;
  readonly key: string;
  readonly indexes: readonly SupplementIndexSlot[];
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
  /** Version of its last deletion: the record exists when `version` is greater. */
  readonly deletedVersion: Version | undefined;
  /** Each field with the version of its last write; null = removed. */
  readonly members: ReadonlyMap<string, Written>;
}

/** A table was emptied: records at or below the version are gone. */
export interface SupplementClear {
  readonly account: number;
  readonly supplement: number;
  readonly version: Version;
}

/** Tables of one account, as folds see them. */
export interface SupplementAccess {
  supplement(key: string): Supplement | undefined;
  supplementRecord(supplement: number, id: string): SupplementRecord | undefined;
  setSupplementRecord(record: SupplementRecord): void;
  /** Takes every record out of the table that was written before the version. */
  clearSupplement(supplement: Supplement, version: Version): void;
}

/** A record as stored; `doc` is a document of members. */
export interface SupplementRecordRow {
  readonly contact: number | null;
  readonly createdAt: number;
  readonly modifiedAt: number;
  readonly version: Version;
  readonly deletedVersion: Version | null;
  readonly doc: string;
}

export function fromSupplementRecordRow(supplement: number, id: string, row: SupplementRecordRow): SupplementRecord {
  const { contact, createdAt, modifiedAt, version, deletedVersion, doc } = row;
  const members = fromMembersDocument(doc);
  return {
    supplement,
    id,
    contact: contact ?? undefined,
    createdAt,
    modifiedAt,
    version,
    deletedVersion: deletedVersion ?? undefined,
    members,
  };
}

type Cleared = Pick<Supplement, "clearedVersion">;

/** Returns the version that a write must be above to be there: the last clear of the table or the last deletion of the record. */
export function floorOf({ clearedVersion = "" }: Cleared, record: SupplementRecord | undefined): Version {
  const deletedVersion = record?.deletedVersion ?? "";
  return deletedVersion > clearedVersion ? deletedVersion : clearedVersion;
}

/** The record as clears and deletions leave it, whichever came first; undefined when it is not there. */
export function liveRecord(record: SupplementRecord | undefined, table: Cleared): SupplementRecord | undefined {
  if (record === undefined) return undefined;
  const floor = floorOf(table, record);
  if (floor === "") return record;
  if (record.version <= floor) return undefined;
  const live = [...record.members].filter(([, { version }]) => version > floor);
  return live.length === record.members.size ? record : { ...record, members: new Map(live) };
}
