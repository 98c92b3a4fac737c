import { classifyFailure } from "@headwater/kernel";
import { RowBinary } from "@headwater/stores/clickhouse";
import type { Table } from "@headwater/stores/clickhouse/tables";
import type { OffsetKey } from "@headwater/stores/streams";
import type { LogFrame } from "@headwater/topics";
import type { Poison } from "../quarantine/quarantine.ts";
import { type Place, PoisonRange, type Sink, type SinkBlock, type SinkItem, type SinkTables } from "./sink.ts";

const FIRST_BYTES = 16 * 1024;

/** Returns a sink whose blocks are the rows of what it reads. */
export function createSink(parts: Omit<Sink, "blocks">): Sink {
  return {
    ...parts,
    async blocks(key: OffsetKey, frames: readonly LogFrame[], without: ReadonlySet<Place>) {
      const items = await parts.read(key, frames);
      const missing =
        without.size === 0 ? items : items.filter(({ offset, place }) => !without.has(`${offset}:${place}`));
      return toBlocks(parts, missing);
    },
  };
}

/** Returns the items' rows by table. @throws PoisonRange with all items whose rows cannot be made. */
export function toBlocks({ firstTables }: Pick<Sink, "firstTables">, items: readonly SinkItem[]): SinkBlock[] {
  const tables = new OpenTables();
  const poison: Poison[] = [];
  for (const item of items) {
    try {
      item.write(tables);
    } catch (error) {
      if (classifyFailure(error) !== "poison") throw error;
      poison.push({ offset: item.offset, place: item.place, letter: item.letter(), error });
    }
  }
  // What was written of a poison item is in the rows: they are thrown away.
  if (poison.length > 0) {
    throw new PoisonRange(
      poison,
      items.map(({ account }) => account),
    );
  }
  return tables.blocks(firstTables);
}

interface OpenTable {
  readonly columns: readonly string[];
  readonly writer: RowBinary;
  rows: number;
}

class OpenTables implements SinkTables {
  readonly #open = new Map<string, OpenTable>();

  add<Row>(table: Table<Row>, row: NoInfer<Row>): void {
    let open = this.#open.get(table.name);
    if (open === undefined) {
      open = { columns: table.columns, writer: new RowBinary(FIRST_BYTES), rows: 0 };
      this.#open.set(table.name, open);
    }
    open.rows += 1;
    table.write(open.writer, row);
  }

  /** Returns the first tables' blocks in their order, then the others by name. */
  blocks(firstTables: readonly string[]): SinkBlock[] {
    const others = [...this.#open.keys()].filter((table) => !firstTables.includes(table)).sort();
    return [...firstTables, ...others].flatMap((table) => {
      const open = this.#open.get(table);
      if (open === undefined) return [];
      const { columns, writer, rows } = open;
      return [{ table, columns, body: writer.body(), rows, isFirst: firstTables.includes(table) }];
    });
  }
}
