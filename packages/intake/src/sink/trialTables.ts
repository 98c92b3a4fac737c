import type { ClickHouse } from "@headwater/clickhouse/clickhouse";
import { isSchemaFault } from "@headwater/clickhouse/failures";
import { classifyFailure } from "@headwater/kernel";
import type { SinkBlock } from "./sink.ts";

/** Tables in which blocks are tried: tables of the same columns and constraints that keep nothing. */
export interface TrialTables {
  /** @returns whether ClickHouse refuses any of the blocks for what it holds. */
  refuses(blocks: readonly SinkBlock[]): Promise<boolean>;
  close(): Promise<void>;
}

/** Makes a table for each that is tried; they are dropped at the end, and hold nothing when the process is killed before. */
export function openTrialTables(
  clickhouse: Pick<ClickHouse, "insertBlock" | "command">,
  newToken: () => string,
): TrialTables {
  const made = new Map<string, string>();
  const tableOf = async (table: string): Promise<string> => {
    const known = made.get(table);
    if (known !== undefined) return known;
    const name = `trial_${table}_${newToken().replaceAll("-", "")}`;
    await clickhouse.command(`CREATE TABLE ${name} AS ${table} ENGINE = Null`);
    made.set(table, name);
    return name;
  };
  return {
    async refuses(blocks) {
      for (const { table, columns, body } of blocks) {
        const trial = await tableOf(table);
        try {
          await clickhouse.insertBlock({ table: trial, columns, body, token: newToken() });
        } catch (error) {
          if (classifyFailure(error) !== "poison" || isSchemaFault(error)) throw error;
          return true;
        }
      }
      return false;
    },
    async close() {
      for (const name of made.values()) await clickhouse.command(`DROP TABLE IF EXISTS ${name}`);
    },
  };
}
