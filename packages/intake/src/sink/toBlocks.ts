import { RowBinary } from "@headwater/clickhouse/rowBinary";
import { type SharedColumns, sharedColumns, type Table } from "@headwater/clickhouse/tables/index";
import { classifyFailure } from "@headwater/kernel";
import type { OffsetKey } from "@headwater/postgres/streams/streamOffsets";
import type { LogFrame } from "@headwater/topics";
import type { Poison } from "../quarantine/quarantine.ts";
import { type Path, PoisonRange, type Sink, type SinkBlock, type SinkItem, type SinkTables } from "./sink.ts";

const FIRST_BYTES = 16 * 1024;

/** Returns a sink whose blocks are the rows of what it reads. */
export function createSink(parts: Omit<Sink, "blocks">): Sink {
  return {
    ...parts,
    async blocks(key: OffsetKey, frames: readonly LogFrame[], without: ReadonlySet<Path>) {
      const items = await parts.read(key, frames);
      const missing =
        without.size === 0
          ? items
          : items.filter(({ offset, place: position }) => !without.has(`${offset}:${position}`));
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

/** One table's rows so far. */
interface OpenTable {
  readonly table: Pick<Table<never>, "name" | "columns" | "columnTypes">;
  readonly writer: RowBinary;
  rows: number;
  /** The table whose row was added just before, the last time that one stood there, and what the two have in common. */
  before: OpenTable | undefined;
  shared: SharedColumns | undefined;
}

class OpenTables implements SinkTables {
  readonly #open = new Map<object, OpenTable>();
  /** The row that was added last, its table, and where its bytes begin there. */
  #lastRow: unknown;
  #last: OpenTable | undefined;
  #lastStart = 0;

  /** Appends a row. One that goes to two tables, one right behind the other, is encoded once. */
  add<Row>(table: Table<Row>, row: NoInfer<Row>): void {
    const open = this.#open.get(table) ?? this.#openOf(table);
    const start = open.writer.bytes();
    const column = row === this.#lastRow ? this.#copyShared(open) : 0;
    if (column === 0) table.write(open.writer, row);
    else table.writeFrom(open.writer, row, column);
    open.rows += 1;
    this.#lastRow = row;
    this.#last = open;
    this.#lastStart = start;
  }

  #openOf(table: OpenTable["table"]): OpenTable {
    const writer = new RowBinary(FIRST_BYTES);
    const open = { table, writer, rows: 0, before: undefined, shared: undefined };
    this.#open.set(table, open);
    return open;
  }

  /** @returns how many columns of the last row are the row's first ones, and there now. */
  #copyShared(open: OpenTable): number {
    const last = this.#last;
    if (last === undefined || last === open) return 0;
    if (open.before !== last) {
      open.before = last;
      open.shared = sharedColumns(last.table, open.table);
    }
    if (open.shared === undefined) return 0;
    open.writer.copy(last.writer, this.#lastStart, last.writer.bytes() - open.shared.bytesBehind);
    return open.shared.count;
  }

  /** Returns the first tables' blocks in their order, then the others by name. */
  blocks(firstTables: readonly string[]): SinkBlock[] {
    const blocks = [...this.#open.values()].map(({ table: { name, columns }, writer, rows }) => {
      return { table: name, columns, body: writer.body(), rows, isFirst: firstTables.includes(name) };
    });
    const positionOf = ({ table, isFirst }: SinkBlock) => (isFirst ? firstTables.indexOf(table) : firstTables.length);
    return blocks.sort((a, b) => positionOf(a) - positionOf(b) || (a.table < b.table ? -1 : 1));
  }
}
