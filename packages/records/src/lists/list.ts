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
