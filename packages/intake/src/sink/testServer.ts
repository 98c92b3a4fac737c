import type { Block } from "@headwater/clickhouse/clickhouse";
import type { Trials } from "./quarantineRange.ts";
import type { Path } from "./sink.ts";

const TRIAL_TABLE = /^(?:CREATE TABLE|DROP TABLE IF EXISTS) (trial_\w+)/;

/** ClickHouse as sinks see it: a block is one part, and one whose token was logged is dropped. A body's bytes are its offsets. */
export class TokenServer implements Trials {
  /** Tokens of all inserts into tables that keep their rows, in order. */
  readonly sent: string[] = [];
  trialTables: readonly string[] = [];
  readonly #tokens = new Set<string>();
  readonly #stored: number[] = [];
  #losesNext = false;
  #refused: number | undefined;

  async insertBlock({ table, token, body }: Block): Promise<void> {
    const rows = [...Buffer.from(body)];
    const isTrial = this.trialTables.includes(table);
    if (!isTrial) this.sent.push(token);
    if (this.#refused !== undefined && rows.includes(this.#refused)) throw new TypeError("a row is refused");
    if (isTrial || this.#tokens.has(token)) return;
    this.#tokens.add(token);
    if (this.#losesNext) {
      this.#losesNext = false;
      throw Object.assign(new Error("killed between the token and the part"), { code: "ECONNRESET" });
    }
    this.#stored.push(...rows);
  }

  async command(sql: string): Promise<void> {
    const [, table = ""] = TRIAL_TABLE.exec(sql) ?? [];
    const others = this.trialTables.filter((one) => one !== table);
    this.trialTables = sql.startsWith("CREATE") ? [...others, table] : others;
  }

  /** Logs the token of the next block and loses its rows, as a kill between the two does; or, with false, does not. */
  loseNext(loses = true): void {
    this.#losesNext = loses;
  }

  /** Refuses blocks with the row of an offset. */
  refuse(offset: number): void {
    this.#refused = offset;
  }

  /** Returns the offsets of all rows, as often as they are stored. */
  rows(): readonly number[] {
    return this.#stored.toSorted((one, other) => one - other);
  }

  places(): Set<Path> {
    return new Set(this.#stored.map((offset): Path => `${offset}:0`));
  }
}
