import type { ClickHouseBulk } from "@headwater/clickhouse/bulk";
import type { ClickHouse } from "@headwater/clickhouse/clickhouse";
import type { Account, ExportOptions, JobInput, JobName } from "@headwater/contracts";
import type { Clock, Logger } from "@headwater/kernel";
import type { Postgres } from "@headwater/postgres/connection/postgres";

/**
 * Types of columns, as analytics.md 6 writes their values. A staged value of `array` and `object` is JSON text; one of `auto` is JSON
 * text with its kind before it (`stagedValue`); `date` is a text; `membership` is never missing; an `id` neither.
 */
export const COLUMN_TYPES = [
  "id",
  "text",
  "number",
  "money",
  "boolean",
  "moment",
  "date",
  "auto",
  "array",
  "object",
  "membership",
] as const;
export type ColumnType = (typeof COLUMN_TYPES)[number];

/** A column of the files. */
export interface ExportColumn {
  /** Its name in every format. */
  readonly name: string;
  /** The path that was asked for. */
  readonly field: string;
  readonly type: ColumnType;
}

/** Jobs whose input has the options of exports. */
export type ExportJobName = {
  [Name in JobName]: JobInput<Name> extends ExportOptions ? Name : never;
}[JobName];

/** One table of rows, which becomes one file or several. */
export interface PartDefinition {
  /** Absent: the rows that were asked for. `gone`: contacts that left since the former export. */
  readonly kind?: "gone";
  readonly columns: readonly ExportColumn[];
}

/** A staging table of one attempt; files are written from it in the order in which rows were inserted. */
export interface StagedPart {
  /** The table's name, for queries that check what is staged already. */
  readonly table: string;
  /**
   * Appends the rows of a SELECT: first the number of the contact that a row is about (0 for nobody), then the columns in their order,
   * each of a type that casts to the staged one. An ORDER BY holds.
   */
  insertSelect(sql: string, params?: Readonly<Record<string, unknown>>): Promise<void>;
  /** Appends rows that are made in this process, about nobody: values of the columns in their order, instants as milliseconds. */
  insertRows(rows: AsyncIterable<readonly StagedCell[]>): Promise<void>;
}

export type StagedCell = string | number | boolean | null;

/** Ports and facts that a kind stages its rows with. */
export interface Staging<Input> {
  readonly jobId: string;
  readonly account: Account;
  readonly input: Input;
  readonly nowMs: number;
  readonly signal: AbortSignal;
  readonly postgres: Postgres;
  readonly clickhouse: ClickHouse;
  readonly bulk: ClickHouseBulk;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Names another table of this attempt, for the kind's own use; it is dropped with the staged ones. */
  scratch(name: string): string;
  /** Creates the staging table of a part; files are written in the order of these calls. */
  part(definition: PartDefinition): Promise<StagedPart>;
}

/**
 * A kind of export: how its rows are found. All else (waiting for the watermark, formats, files, checksums, the manifest, going on after a
 * crash, cancel, erasures) is the engine's and the same for every kind.
 */
export interface ExportKind<Name extends ExportJobName> {
  readonly jobName: Name;
  /** The job's `metadata.data` holds the rows of the first part when there are at most 1,000. */
  readonly showsData?: boolean;
  /**
   * Fills one part or more. It runs again from the beginning, with new tables, after a kill or an erasure of somebody who is staged.
   * Everything that was acknowledged before the watermark is in both stores by then.
   */
  stage(staging: Staging<JobInput<Name>>): Promise<void>;
}
