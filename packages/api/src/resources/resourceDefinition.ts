import type { ErrorCode } from "@headwater/contracts";
import type { Route } from "@headwater/http";
import type { ResourceRow, ResourceTable, RowName } from "@headwater/postgres/connection/resourceTable";
import type { Transaction } from "@headwater/postgres/connection/session";
import type { z } from "zod";
import type { AfterPorts, RoutePorts } from "../ports.ts";

type Description = Pick<Route, "operationId" | "summary" | "description">;

/** A record that is checked before it is written. */
export interface Checking<Ports> {
  readonly account: number;
  readonly key: string;
  readonly ports: Ports;
}

/** A write that was checked. */
export interface Checked {
  /** Runs in the transaction of the write, once the row is stored. What it throws is the answer. */
  complete(transaction: Transaction): Promise<void>;
}

/** A plain resource of an account: rows of one table, read and written as they are. */
export interface ResourceDefinition<
  Key extends string,
  Members extends object,
  New,
  Changes,
  Ports extends ResourcePorts = ResourcePorts,
> {
  /** Name in paths, scopes and tags: `programs`. */
  readonly resource: string;
  /** Name of one in descriptions and errors: `program`. */
  readonly noun: string;
  readonly table: ResourceTable<Key, Members>;
  /** Record as reads answer it; `fields` selects among its members. */
  readonly shape: z.ZodObject;
  readonly example: Readonly<Record<Key, string>> & Readonly<Record<string, unknown>>;
  toRecord(row: ResourceRow<Key, Members>): Record<string, unknown>;
  /** Returns what the ETag is a hash of. */
  versioned(members: Members): unknown;
  /** Limit of a body, where it is not the usual one. */
  readonly bodyBytesMax?: number;
  readonly list: Description & {
    /** Stored members by the values of `sort_by`, the default first. Rows that have one in common follow their keys. */
    readonly sorts: Readonly<Record<string, string>>;
    /** Parameters that select the records whose member of the same name has their value. */
    readonly filters?: Readonly<Record<string, z.ZodType<string>>>;
    /** Limit of the large texts of a page; the table says which member has them. */
    readonly largeBytesMax?: number;
  };
  readonly get: Description;
  readonly create: Description & {
    readonly body: z.ZodType<New>;
    readonly requestExample: object;
    /** Returns the key of a new record: its own, or one that the body chooses. */
    keyOf(body: New): string;
    /** Returns what is stored. What it throws is the answer, such as a 422 `VALIDATION_ERROR`. */
    toMembers(body: New): Members;
    /** Checks a body before the transaction of its write; undefined where nothing is left to do in it. What it throws is the answer. */
    check?(body: NoInfer<New>, checking: Checking<Ports>): Promise<Checked | undefined>;
  };
  readonly update: Description & {
    readonly body: z.ZodType<Changes>;
    readonly requestExample: object;
    /** Returns what is stored from now on. What it throws is the answer. */
    toMembers(changes: Changes, stored: ResourceRow<Key, Members>): Members;
    check?(changes: NoInfer<Changes>, checking: Checking<Ports>): Promise<Checked | undefined>;
  };
  readonly delete: Description & {
    readonly inUse?: InUse;
    /** Deletes what the record has in other tables. */
    release?(transaction: Transaction, name: RowName): Promise<void>;
  };
}

/** Refusal of deleting a record that others use. */
export interface InUse {
  readonly code: ErrorCode;
  readonly message: string;
  /** Returns a sentence for each of its users, while it is locked: none begins to use it. */
  users(transaction: Transaction, name: RowName): Promise<readonly string[]>;
}

export type ResourcePorts = AfterPorts & Pick<RoutePorts, "cursors" | "postgres">;
export type ResourceRoutes<Ports = ResourcePorts> = (ports: Ports) => Route[];
