import type { Account } from "@headwater/contracts";
import type { OffsetKey, StoredOffset } from "@headwater/postgres/streams/streamOffsets";
import type { LoggedRecord, Undecodable } from "./loggedRecord.ts";

/** Frames of one partition from its stored offset on, decoded into records with versions. */
export interface StateBatch {
  readonly key: OffsetKey;
  readonly fromOffset: number;
  readonly records: readonly LoggedRecord[];
  readonly undecodable: readonly Undecodable[];
  readonly accounts: ReadonlyMap<number, Account>;
  /** Row of the partition when the batch is done; the outbox position is added. */
  readonly after: Omit<StoredOffset, "outboxPosition" | "windowFrom">;
  readonly seenActivity: (key: string) => boolean;
  readonly nowMs: number;
  readonly parkedForMs: readonly number[];
  /** Its first frames, a few of many, when fewer are to be applied at once; undefined when it is a single frame. */
  firstFrames(): StateBatch | undefined;
  /** Returns where the window of activities begins when these were applied. */
  windowFrom(activityKeys: ReadonlySet<string>): number;
}
