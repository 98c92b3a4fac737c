import type { Table } from "@headwater/clickhouse/tables/index";
import type { OffsetKey, OpenOffset } from "@headwater/postgres/streams/streamOffsets";
import type { LogFrame, LogMark, StreamBatch } from "@headwater/topics";
import type { Mail, Poison } from "../quarantine/quarantine.ts";

/** Rows of a range, or of several that are inserted together, for one table, in RowBinary. */
export interface SinkBlock {
  readonly table: string;
  readonly columns: readonly string[];
  readonly body: Buffer;
  readonly rows: number;
  /** Sent alone, in order, and there before the rows of the other tables are sent. */
  readonly isFirst?: boolean;
}

/** A position in the log: `offset:place`. */
export type Path = string;

/** Error that the source of a range's rows was cleared away: another owner of the partition has written the range. */
export class RangeGone extends Error {}

/** Some of a range cannot be read or written as rows: each of it is quarantined, and the range is made again. */
export class PoisonRange extends Error {
  readonly poison: readonly Poison[];
  /** Accounts of all items of the range, one entry an item. */
  readonly accounts: readonly number[];
  constructor(poison: readonly Poison[], accounts: readonly number[]) {
    super(`${poison.length} of a range cannot be written`, { cause: poison[0]?.error });
    this.poison = poison;
    this.accounts = accounts;
  }
}

/** Rows under way, by table. */
export interface SinkTables {
  add<Row>(table: Table<Row>, row: NoInfer<Row>): void;
}

/** A record or change event with its rows. */
export interface SinkItem {
  readonly offset: number;
  readonly place: number;
  readonly account: number;
  write(tables: SinkTables): void;
  /** Makes its dead letter, for the case that it cannot be written. */
  letter(): Mail;
}

/** Blocks that one group makes of a range of frames. The same frames and transform version give the same blocks for ever. */
export interface Sink {
  readonly group: string;
  /** Raised whenever the rows made of a frame change: a pending range is finished by the code that began it. */
  readonly transform: number;
  /** Versions whose ranges this code finishes: its own, and those before it that made the same rows. */
  readonly finishes: readonly number[];
  /** Names of the tables whose blocks go before those of all others, in this order. */
  readonly firstTables: readonly string[];
  /** Records that `state` applied are counted: what is quarantined is rejected instead. */
  readonly isCounted: boolean;
  /** Offsets from here on may not be read yet. @throws LogMismatch when the frames are of another log than the one that is followed. */
  readable(batch: StreamBatch): Promise<number>;
  /**
   * Mark of what the group that this one follows has dealt with, where that is further on: rows are made by what it stored, so the log
   * has to be the same up to there. Undefined where this group has read as far itself.
   */
  followed?: ((row: OpenOffset) => Promise<LogMark | undefined>) | undefined;
  /**
   * Items of a range, in order, without those that are quarantined or about erased contacts.
   * @throws RangeGone when another owner finished the range; PoisonRange for messages that cannot be read.
   */
  read(key: OffsetKey, frames: readonly LogFrame[]): Promise<readonly SinkItem[]>;
  /**
   * Their rows.
   * @param without positions whose rows are there already.
   * @throws as `read`, and PoisonRange for items whose rows cannot be made.
   */
  blocks(key: OffsetKey, frames: readonly LogFrame[], without: ReadonlySet<Path>): Promise<SinkBlock[]>;
  /** Positions of the range that are stored; undefined when writing rows twice is harmless by their keys. */
  stored?: ((key: OffsetKey, range: { readonly from: number; readonly to: number }) => Promise<Set<Path>>) | undefined;
}
