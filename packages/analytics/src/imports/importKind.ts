import type { Account } from "@headwater/contracts";
import type { InternalOperation } from "@headwater/intake/operations/operation";
import type { JobPorts } from "@headwater/jobs/runner/jobKind";
import type { Row } from "@headwater/jobs/sources/row";
import type { ImportColumn } from "./columns/importColumn.ts";

/** Reading of a row: the body of the operation, or the reason why it cannot be one. */
export type RowRead =
  | {
      readonly kind: "item";
      readonly item: unknown;
      /** Members of the record that no body has. */
      readonly more?: Readonly<Record<string, unknown>>;
      /** Names of members of the row that say nothing. */
      readonly ignored?: readonly string[];
      /** A dry run's contact is put on a list that the import would make. */
      readonly joinsNewList?: boolean;
    }
  | { readonly kind: "refused"; readonly code: string; readonly path: string | null; readonly message: string };

/** Reads the rows of one source. */
export interface RowReader {
  /** Checked before rows are read: what they name and must exist is made. */
  prepare?(rows: readonly Row[]): Promise<void>;
  read(row: Row): RowRead;
  /**
   * Returns the rows that are made of those of the source, which are read instead of them: any number of each, in order, with indexes that go
   * on from `made`. The same rows always make the same ones: they are made again after a kill, and to show what was rejected.
   */
  expand?(rows: readonly Row[], made: number): Promise<readonly Row[]>;
  /** Names of what the import brings up. */
  readonly newAttributes: readonly string[];
  readonly newLists: readonly string[];
  /** Columns that are read as nothing. */
  readonly ignoredColumns: readonly string[];
  /** Columns of the source; absent where each row names its members. */
  readonly columns?: readonly ImportColumn[];
  /** Identifiers of which one must be a column; absent where rows need none. */
  readonly identifiers?: readonly string[];
}

export interface Reading<Input> {
  readonly account: Account;
  readonly input: Input;
  readonly header: readonly string[] | null;
  /** Nothing is made. */
  readonly isDryRun: boolean;
  readonly nowMs: number;
}

/** Reading side of an import. */
export interface SourceKind<Input> {
  readonly decimalMembers?: ReadonlySet<string>;
  /** The source must be lines of JSON. */
  readonly isJsonOnly?: boolean;
  /** @throws HeadwaterError for columns that the import cannot take: it fails before its first row. */
  reader(reading: Reading<Input>, ports: Pick<JobPorts, "postgres">): Promise<RowReader>;
}

/** One kind of import whose rows become records of the log. */
export interface ImportKind<Input> extends SourceKind<Input> {
  operationOf(input: Input): InternalOperation;
}

export function refusedRow(message: string, path: string | null = null): RowRead {
  return { kind: "refused", code: "VALIDATION_ERROR", path, message };
}
