import { classifyFailure } from "@headwater/kernel";
import { createRowBinary, type RowBinary } from "@headwater/stores/clickhouse";
import type { OffsetKey } from "@headwater/stores/streams";
import type { LogFrame } from "@headwater/topics";
import type { Poison } from "../quarantine/quarantine.ts";
import { type Place, PoisonRange, type Sink, type SinkBlock, type SinkItem } from "./sink.ts";

const FIRST_BYTES = 16 * 1024;

/** A sink whose blocks are the rows of what it reads. */
export function createSink<Table extends string>(parts: Omit<Sink<Table>, "blocks">): Sink<Table> {
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

/** Rows of the items by table. @throws PoisonRange with all items whose rows cannot be made. */
export function toBlocks<Table extends string>(
  sink: Pick<Sink<Table>, "tables">,
  items: readonly SinkItem<Table>[],
): SinkBlock[] {
  const open = new Map<string, { readonly writer: RowBinary; rows: number }>();
  const tables = {
    row(table: Table): RowBinary {
      const known = open.get(table) ?? { writer: createRowBinary(FIRST_BYTES), rows: 0 };
      open.set(table, known);
      known.rows += 1;
      return known.writer;
    },
  };
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
  return Object.keys(sink.tables).flatMap((table) => blockOf(sink, table, open.get(table)));
}

function blockOf(
  { tables }: Pick<Sink, "tables">,
  table: string,
  written: { readonly writer: RowBinary; readonly rows: number } | undefined,
): SinkBlock[] {
  const definition = tables[table];
  if (written === undefined || definition === undefined) return [];
  const { columns, isFirst = false } = definition;
  return [{ table, columns, body: written.writer.body(), rows: written.rows, isFirst }];
}
