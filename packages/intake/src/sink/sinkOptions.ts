import type { Block } from "@headwater/clickhouse/clickhouse";
import type { ClickHouseWitness } from "@headwater/guard/clickHouseWitness/clickHouseWitness";
import type { Clock, Logger } from "@headwater/kernel";
import type { Trials } from "./quarantineRange.ts";
import type { SinkRanges } from "./ranges.ts";
import type { Sink } from "./sink.ts";

/** Takes blocks, as ClickHouse does. */
export interface BlockInserter {
  insertBlock(block: Block): Promise<void>;
}

export interface SinkHandlerOptions {
  readonly sink: Sink;
  readonly ranges: SinkRanges;
  readonly clickhouse: BlockInserter;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly newToken: () => string;
  readonly onInserted?: (rows: number) => void;
  /** Tables in which rows that ClickHouse refuses are tried one by one; without them such a range stops the process. */
  readonly trials?: Trials | undefined;
  readonly onQuarantined?: (records: number) => void;
  /** Keeps ranges from being written to a ClickHouse that lost earlier ones; without it nothing is compared. */
  readonly witness?: Pick<ClickHouseWitness, "expectIntact" | "mark">;
  /** Test hook: runs between the claim and the insert. */
  readonly beforeInsert?: () => Promise<void>;
}
