import type { BulkStatement } from "@headwater/clickhouse/bulk";
import type { ExportOptions } from "@headwater/contracts";
import { marked } from "@headwater/jobs/files/formulaMark";
import { delimitedCell, identifier, jsonCell, parquetCell, quoted } from "./cells.ts";
import type { ExportColumn } from "./exportKind.ts";
import { columnName } from "./stagingTable.ts";

type ClickHouseSettings = NonNullable<BulkStatement["settings"]>;
type Format = Pick<ExportOptions, "format" | "compression" | "showHeader" | "delimiter" | "bom" | "formulaSafe">;

/** Rows of one file: from row number `from` to `to`, both included. */
export interface FileRows {
  readonly table: string;
  readonly columns: readonly ExportColumn[];
  readonly from: number;
  readonly to: number;
}

/** The part of a file that ClickHouse writes, and the few bytes around it. */
export interface FileQuery {
  readonly head: string;
  readonly sql: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly settings: ClickHouseSettings;
  readonly foot: string;
}

const BYTE_ORDER_MARK = "\ufeff";
/** Line ends of csv (RFC 4180) and of all others. */
const lineEnds = { csv: "\r\n", txt: "\n" } as const;

export function fileQuery(rows: FileRows, options: Format): FileQuery {
  const params = { from: rows.from, to: rows.to };
  switch (options.format) {
    case "csv":
    case "txt":
      return { ...delimited(rows, options, options.format), params, settings: TEXT, foot: "" };
    case "jsonl":
      return {
        head: mark(options),
        sql: raw(rows, `concat(${jsonObject(rows)}, '\\n')`),
        params,
        settings: TEXT,
        foot: "",
      };
    case "json": {
      const sql = raw(rows, `concat(if(n = {from: UInt64}, '\\n', ',\\n'), ${jsonObject(rows)})`);
      return { head: `${mark(options)}[`, sql, params, settings: TEXT, foot: "\n]\n" };
    }
    case "parquet":
      return { head: "", sql: parquet(rows), params, settings: parquetSettings(options), foot: "" };
  }
}

/** SQL of a row as a JSON object, its members named as the columns. */
export function jsonObject({ columns }: Pick<FileRows, "columns">): string {
  const keys = columns.map(({ name }) => quoted(`${JSON.stringify(name)}:`));
  const members = arrayOf(columns, {
    constants: keys,
    cellOf: (column, type, key) => `concat(${key}, ${jsonCell(column, type)})`,
  });
  return `concat('{', arrayStringConcat(${members}, ','), '}')`;
}

/** Columns whose cells are compiled one by one; of more, each type's cells are one expression, which ClickHouse analyzes once. */
const COMPILED_APART_MAX = 32;

interface CellArray {
  /** SQL of what is given to the cells, by the place of their column. */
  readonly constants: readonly string[];
  /** SQL of a cell, given that of its column and of its constant. */
  readonly cellOf: (column: string, type: ExportColumn["type"], constant: string) => string;
}

/** SQL of an array of a row's cells in the order of the columns. */
function arrayOf(columns: readonly ExportColumn[], { constants, cellOf }: CellArray): string {
  const positions = columns.map((_, index) => index);
  const typeAt = (position: number) => columns[position]?.type ?? "auto";
  const constantAt = (place: number) => constants[place] ?? "''";
  if (columns.length <= COMPILED_APART_MAX) {
    return `[${positions.map((place) => cellOf(columnName(place), typeAt(place), constantAt(place))).join(", ")}]`;
  }
  const byType = [...Map.groupBy(positions, typeAt)];
  const arrays = byType.map(([type, of]) => {
    const [values, input] = [of.map(columnName), of.map(constantAt)].map((all) => `[${all.join(", ")}]`);
    return `arrayMap((one_cell, one_constant) -> ${cellOf("one_cell", type, "one_constant")}, ${values}, ${input})`;
  });
  if (byType.length === 1) return arrays.join("");
  const order = byType.flatMap(([, of]) => of);
  return `arraySort((one_cell, one_place) -> one_place, arrayConcat(${arrays.join(", ")}), [${order.join(", ")}])`;
}

const TEXT: ClickHouseSettings = { output_format_json_escape_forward_slashes: 0 };

function mark({ bom }: Format): string {
  return bom ? BYTE_ORDER_MARK : "";
}

function delimited(rows: FileRows, options: Format, format: keyof typeof lineEnds) {
  const { delimiter, showHeader, formulaSafe } = options;
  const end = lineEnds[format];
  const form = { isFormulaSafe: formulaSafe, delimiter };
  const names = rows.columns.map(({ name }) => `"${headerText(name, formulaSafe).replaceAll('"', '""')}"`);
  const header = showHeader ? `${names.join(delimiter)}${end}` : "";
  const cells = arrayOf(rows.columns, { constants: [], cellOf: (column, type) => delimitedCell(column, type, form) });
  const line = `concat(arrayStringConcat(${cells}, ${quoted(delimiter)}), ${quoted(end)})`;
  return { head: `${mark(options)}${header}`, sql: raw(rows, line) };
}

/** A column may be called by whatever its producer calls a property. */
function headerText(name: string, isFormulaSafe: boolean): string {
  return isFormulaSafe ? marked(name) : name;
}

function raw(rows: FileRows, line: string): string {
  return `SELECT ${line} ${fromRows(rows)} FORMAT RawBLOB`;
}

function fromRows({ table }: FileRows): string {
  return `FROM ${table} WHERE n >= {from: UInt64} AND n <= {to: UInt64} ORDER BY n`;
}

function parquet(rows: FileRows): string {
  const cells = rows.columns.map(
    ({ name, type }, place) => `${parquetCell(columnName(place), type)} AS ${identifier(name)}`,
  );
  return `SELECT ${cells.join(", ")} ${fromRows(rows)} FORMAT Parquet`;
}

/** Row groups bound what the server holds back before it writes. */
const ROW_GROUP_ROWS = 250_000;
const ROW_GROUP_BYTES = 67_108_864;

function parquetSettings({ compression }: Format): ClickHouseSettings {
  return {
    output_format_parquet_compression_method: compression,
    output_format_parquet_row_group_size: String(ROW_GROUP_ROWS),
    output_format_parquet_row_group_size_bytes: String(ROW_GROUP_BYTES),
    output_format_parquet_string_as_string: 1,
    // A label may be called as a column of the table is.
    prefer_column_name_to_alias: 1,
  };
}
