import type { Account, ErrorCode } from "@headwater/contracts";
import type { Caller, DryRunRules, Route } from "@headwater/http";
import type { ErrorDetail } from "@headwater/kernel";
import type { ResourceTable, RowName } from "@headwater/postgres/connection/resourceTable";
import type { Session, Transaction } from "@headwater/postgres/connection/session";
import type { z } from "zod";
import type { Store } from "../consistency/consistencyOf.ts";
import type { AfterPorts, RoutePorts } from "../ports.ts";
import type { WriteRouteDefinition } from "../writing/writeRoute.ts";

type Description = Pick<Route, "operationId" | "summary" | "description">;

/** A read of records. */
export interface Viewing<Ports> {
  readonly account: Account;
  /** Session that read the rows: the transaction of a write that reports the stored record. */
  readonly session: Session;
  readonly ports: Ports;
}

/** A record that is checked before it is written. */
export interface Checking<Ports> extends RowName {
  readonly caller: Caller;
  readonly ports: Ports;
  /** Milliseconds since 1970. */
  readonly nowMs: number;
}

/** A record in the transaction that writes it. */
export interface Writing<Ports, Found = unknown> extends Checking<Ports> {
  readonly transaction: Transaction;
  /** Result of the check of its body. */
  readonly found?: Found | undefined;
}

/** A write that was checked. */
export interface Checked<Row, Found = undefined> {
  /** Result from which the members are returned. */
  readonly found?: Found;
  /**
   * Runs in the transaction of the write, once the row is stored. What it throws is the answer.
   * @param before row that was replaced; undefined for a new one.
   * @returns further members of the answer.
   */
  complete?(transaction: Transaction, row: Row, before: Row | undefined): Promise<object>;
}

/** A plain resource of an account: rows of one table, read and written as they are. A route that it has no part for does not exist. */
export interface ResourceDefinition<
  Row extends object,
  Members extends object,
  New,
  Changes,
  Ports extends ResourcePorts = ResourcePorts,
  Found = undefined,
> {
  /** Name in paths, scopes and tags: `programs`. */
  readonly resource: string;
  /** Name of one in descriptions and errors: `program`. */
  readonly noun: string;
  readonly table: ResourceTable<Row, Members>;
  /** Record as reads answer it; `fields` selects among its members. */
  readonly shape: z.ZodObject;
  readonly example: Readonly<Record<string, unknown>>;
  /** Returns a record as reads answer it. A large text that a list leaves out is empty. */
  toRecord(row: Row, viewing: Viewing<Ports>): Record<string, unknown>;
  /** Reads what records show besides their rows, and returns the rows with it. */
  load?(rows: readonly Row[], viewing: Viewing<Ports>): Promise<readonly Row[]>;
  /** Returns what the ETag is a hash of. */
  versioned(row: Row): unknown;
  /** Shape of the key in paths, where it is not any text of up to 1,024 characters. */
  readonly keyShape?: z.ZodType<string>;
  /** Code of an unknown key; default `RECORD_NOT_FOUND`. */
  readonly unknownCode?: ErrorCode;
  /** Store in which `after` waits for a receipt; default `state`. */
  readonly store?: Store;
  /** Limit of a body, where it is not the default one. */
  readonly bodyBytesMax?: number;
  /** Locks what rules about several records of an account need, at the start of each write's transaction. */
  lock?(transaction: Transaction, account: number): Promise<void>;
  /** Runs after a write was committed, so that a cache forgets what it has of the account. */
  committed?(account: Account, ports: Ports): void;
  readonly list?: Description & {
    /** Stored members by the values of `sort_by`, the default first. Rows that have one in common follow their keys. */
    readonly sorts: Readonly<Record<string, string>>;
    /**
     * Parameters that select the records whose member of the same name has their value. Those of a member that is a list have values with
     * commas between, and select the records that have one of them.
     */
    readonly filters?: Readonly<Record<string, z.ZodType<string>>>;
    /** Stored times by the parameters that select ranges of them: `ct[gte]` and the like, and `ct` for a day or an instant. */
    readonly ranges?: Readonly<Record<string, string>>;
    /** Limit of the large texts of a page; the table says which member has them. */
    readonly largeBytesMax?: number;
    readonly counted?: CountedMembers<Row>;
  };
  /** `fields` is false where a read answers all members. */
  readonly get?: Description & {
    readonly fields?: false;
    /** Members that lists do not have, each read where `fields` does not leave it out; undefined: the record does not have it. */
    readonly computed?: Readonly<Record<string, (row: Row, viewing: Viewing<Ports>) => Promise<unknown>>>;
  };
  readonly create?: WriteDescription<New, Ports> & {
    readonly answer?: AnswerMembers;
    readonly secret?: SecretMembers<NoInfer<New>, Ports>;
    readonly limit?: CreateLimit;
    /** Returns the key that the body chooses, or a new one; absent where the table gives the key. */
    keyOf?(body: New): string;
    /** Lets a create replace the record that has its key. Throws the answer where it may not. */
    expectReplaceable?(stored: Row): void;
    /**
     * Returns what is stored, and writes what the record has in other tables where that comes first. What it throws is the answer, such as a
     * 422 `VALIDATION_ERROR`.
     */
    toMembers(body: New, before: Row | undefined, writing: Writing<Ports, NoInfer<Found>>): Members | Promise<Members>;
    /** Checks a body before the transaction of its write; undefined where nothing is left to do in it. What it throws is the answer. */
    check?(body: NoInfer<New>, checking: Checking<Ports>): Promise<Checked<Row, Found> | undefined>;
  };
  readonly update?: WriteDescription<Changes, Ports> & {
    readonly answer?: AnswerMembers;
    readonly secret?: SecretMembers<NoInfer<Changes>, Ports>;
    /** Returns what is stored from now on. What it throws is the answer; a `WriteConflict` has the changes checked again. */
    toMembers(changes: Changes, stored: Row, writing: Writing<Ports, NoInfer<Found>>): Members | Promise<Members>;
    check?(changes: NoInfer<Changes>, checking: Checking<Ports>): Promise<Checked<Row, Found> | undefined>;
  };
  readonly delete?: Description & {
    readonly answer?: AnswerMembers;
    readonly inUse?: InUse<NoInfer<Row>>;
    /** Deletes what the record has in other tables, or starts the job that does. @returns further members of the answer. */
    release?(writing: Writing<Ports>, row: Row): Promise<object>;
  };
}

type WriteDescription<Body, Ports> = Description &
  Pick<WriteRouteDefinition<unknown, unknown, Body>, "exactMembers"> & {
    readonly body: z.ZodType<Body>;
    readonly requestExample: object;
    readonly furtherProblems?: FurtherProblems<Ports>;
    /** Says what a dry run answers that the write starts. */
    readonly starts?: DryRunRules["starts"];
  };

/** Returns what is wrong with a body of another shape besides its shape, so that all is reported together. */
export type FurtherProblems<Ports> = (
  input: Readonly<Record<string, unknown>>,
  checking: Checking<Ports>,
) => Promise<readonly ErrorDetail[]>;

type Parts = "list" | "get" | "create" | "update" | "delete";
/** A resource without its routes. */
export type Resource<Row extends object, Members extends object, Ports extends ResourcePorts> = Omit<
  ResourceDefinition<Row, Members, unknown, unknown, Ports>,
  Parts
>;
/** Part that defines one route of a resource. */
export type Part<
  Name extends Parts,
  Row extends object,
  Members extends object,
  Body,
  Ports extends ResourcePorts,
  Found = unknown,
> = NonNullable<ResourceDefinition<Row, Members, Body, Body, Ports, Found>[Name]>;

/** Members of a write's answer besides `success` and the key. */
export interface AnswerMembers {
  readonly members: Readonly<Record<string, z.ZodType>>;
  readonly example: object;
}

/** Secret members of a write's answer: they are not stored with it, and a repeat reads them again. */
export interface SecretMembers<Body, Ports> {
  readonly members: Readonly<Record<string, z.ZodType>>;
  /** @param name with the version that the answer was about: a repeat may come after the record has changed. */
  read(
    body: Body,
    name: Pick<Checking<Ports>, "account" | "caller" | "key" | "ports"> & { readonly etag: string | undefined },
  ): object | Promise<object>;
}

/** Number of records that an account may have. */
export interface CreateLimit {
  readonly code: ErrorCode;
  /** Pointer to the member that the refusal names. */
  readonly path: string;
  max(settings: Account["settings"]): number;
}

/** Members that take a read of their own: they are answered where `fields` names one of them. */
export interface CountedMembers<Row> {
  readonly members: Readonly<Record<string, z.ZodType>>;
  readonly perPageMax: number;
  /** Returns the members of each row, in its order; reads what the page has read. */
  read(session: Session, account: number, rows: readonly Row[]): Promise<readonly object[]>;
}

/** Refusal of deleting a record that others use. */
export interface InUse<Row = RowName> {
  readonly code: ErrorCode;
  readonly message: string;
  /** Returns a sentence for each of its users, while it is locked: none begins to use it. */
  users(transaction: Transaction, row: Row): Promise<readonly string[]>;
}

export type ResourcePorts = AfterPorts & Pick<RoutePorts, "cursors" | "postgres">;
export type ResourceRoutes<Ports = ResourcePorts> = (ports: Ports) => Route[];
