import type { Account, ContactRow, Version } from "@headwater/contracts";
import type {
  CartRow,
  FoldState,
  IntakeRecord,
  List,
  LoggedOperation,
  Membership,
  MergeRow,
  OrderRow,
} from "@headwater/operations";

export interface PlacedRecord {
  readonly operation: LoggedOperation;
  readonly record: IntakeRecord;
  readonly version: Version;
}

interface Former {
  readonly name: string;
  readonly value: string;
  readonly until: Version;
  readonly contact: number;
}

/** What these tests ask of the folds' own stand-in for Postgres. */
export interface StateInMemory {
  readonly contacts: ReadonlyMap<number, ContactRow>;
  /** By `account\nname\nvalue`. */
  readonly owners: ReadonlyMap<string, number>;
  readonly formers: { readonly all: readonly Former[] };
  readonly memberships: ReadonlyMap<string, Membership>;
  /** By `account\norder id`. */
  readonly orders: ReadonlyMap<string, OrderRow & { readonly mergedFrom?: number | undefined }>;
  readonly carts: ReadonlyMap<number, CartRow>;
  readonly aliases: ReadonlyMap<number, number>;
  readonly merges: readonly MergeRow[];
  defineList(account: number, list: List): void;
  write<Result>(account: Account, fold: (state: FoldState) => Result): Result;
  apply(account: Account, records: readonly PlacedRecord[]): unknown;
}
