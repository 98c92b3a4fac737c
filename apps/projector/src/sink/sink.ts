import type { OffsetKey, Session } from "@headwater/stores";
import type { LogFrame, StreamBatch } from "@headwater/topics";

/** Rows of one range for one table, in RowBinary or as JSON lines. */
export interface SinkBlock {
  readonly table: string;
  readonly columns: readonly string[];
  readonly body: Buffer | string;
  readonly rows: number;
  /** Sent alone, in order, and there before the rows of the other tables are sent. */
  readonly isFirst?: boolean;
}

/** A place in the log: `offset:place`. */
export type Place = string;

/** What a range's rows are made of was cleared away: another owner of the partition has written the range. */
export class RangeGone extends Error {}

/** What one group makes of a range of frames. The same frames and transform version give the same blocks for ever. */
export interface Sink {
  readonly group: string;
  readonly generation: number;
  /** Raised whenever the rows made of a frame change: a pending range is finished by the code that began it. */
  readonly transform: number;
  /** Offsets from here on may not be read yet. */
  readable(batch: StreamBatch): Promise<number>;
  /**
   * @param without places whose rows are there already.
   * @throws RangeGone when another owner finished the range.
   */
  blocks(key: OffsetKey, frames: readonly LogFrame[], without: ReadonlySet<Place>): Promise<SinkBlock[]>;
  /** Places of the range that are stored; undefined when writing rows twice is harmless by their keys. */
  stored?: ((key: OffsetKey, range: { readonly from: number; readonly to: number }) => Promise<Set<Place>>) | undefined;
  /** The range is in ClickHouse: what was kept for it may go. */
  done(session: Session, key: OffsetKey, below: number): Promise<unknown>;
}
