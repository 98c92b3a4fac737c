/** SQL with `$1` parameters. A named one is planned once per connection. */
export interface Statement {
  readonly name?: string;
  readonly text: string;
  /**
   * It finds a row or few by key, in far less than a millisecond. Outside of a transaction it then shares a connection with what is asked
   * in the same turn of the event loop.
   */
  readonly isLookup?: true;
}

/** Parameter of a statement. Arrays are given as array literals (arrays.ts), versions as 32 hex characters. */
export type Value = string | number | boolean | null | Buffer | Date;

/**
 * Runs statements on a pool, or in one transaction of it. Statements of one transaction that do not wait for one another go out together
 * and are run in the order given. Errors: a HeadwaterError SERVICE_UNAVAILABLE (retriable) when Postgres is away, else Postgres' own:
 * `postgresFailure` finds their kind.
 */
export interface Session {
  /**
   * Rows as the statement's column names say; bigint is a number, uuid 32 hex characters, json its text. The caller states their shape:
   * `test/architecture/statements.test.ts` lets a migrated Postgres prepare each statement and compares its columns.
   */
  query<Row extends object = Record<string, unknown>>(statement: Statement, values?: readonly Value[]): Promise<Row[]>;
  /** @returns how many rows were written. */
  execute(statement: Statement, values?: readonly Value[]): Promise<number>;
  /** Key of the hashes of erased identifiers, when it is kept outside of Postgres. Read it by `readErasureSecret`. */
  readonly erasureSecret?: Buffer | undefined;
}

/** A session inside BEGIN and COMMIT; its locks last until the function it was given to has ended. */
export interface Transaction extends Session {
  readonly inTransaction: true;
}

/**
 * Sends a statement along with COMMIT, in one round trip, where nobody needs its answer. The transaction is rolled back, and rejects with the
 * statement's error, when it fails.
 */
export type AtCommit = (statement: Statement, values?: readonly Value[]) => void;
