import type { Version } from "@headwater/contracts";

export interface List {
  readonly id: number;
  readonly name: string;
  /** Memberships with a lower version are gone. */
  readonly clearedVersion: Version | undefined;
}

export interface Membership {
  readonly list: number;
  readonly contact: number;
  readonly present: boolean;
  /** Milliseconds since 1970. */
  readonly joinedAt: number;
  readonly version: Version;
}

const LIST_ID_MAX = 2_147_483_647;

/** @returns undefined for what cannot be the id of a list. */
export function readListId(text: string): number | undefined {
  const id = /^[1-9]\d{0,9}$/.test(text) ? Number(text) : undefined;
  return id !== undefined && id <= LIST_ID_MAX ? id : undefined;
}
