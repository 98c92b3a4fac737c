/** A criteria object and what somebody who knows the tables and ClickHouse well would write for it. */
export interface Comparison {
  readonly name: string;
  readonly criteria: Readonly<Record<string, unknown>>;
  /** Answers one row with `count`. Reads `{account: UInt32}`. */
  readonly sql: string;
}
