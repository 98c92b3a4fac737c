import { type FileMetaData, parquetSchema, type SchemaElement, type SchemaTree } from "hyparquet";
import { SourceRefused } from "../sourceRefused.ts";

/** Digits behind the point, by the decimal column that has them. */
export type Scales = ReadonlyMap<string, number>;

export interface ParquetColumns {
  readonly names: readonly string[];
  /** Digits behind the point of decimal columns, by name. */
  readonly scales: Scales;
}

const DISPLAYED_COLUMNS_MAX = 10;
/** Lists of values, and groups of them: deeper ones are no value of ours. */
const DEPTH_MAX = 5;

/**
 * Checks the columns of a Parquet file. Lists become arrays and groups objects.
 * @throws SourceRefused that names the columns of types which an import cannot read.
 */
export function columnsOf(metadata: FileMetaData): ParquetColumns {
  const { children } = parquetSchema(metadata);
  if (children.length === 0) throw new SourceRefused("The Parquet file has no columns.");
  const wrong = children.flatMap((column) => {
    const problem = problemOf(column);
    return problem === undefined ? [] : [`${JSON.stringify(column.element.name.slice(0, 64))} (${problem})`];
  });
  if (wrong.length > 0) {
    const view = wrong.slice(0, DISPLAYED_COLUMNS_MAX).join(", ");
    throw new SourceRefused(`The Parquet file has columns of types that imports do not read: ${view}.`);
  }
  const scales = children.filter(isDecimal).map(({ element }): [string, number] => [element.name, element.scale ?? 0]);
  return { names: children.map(({ element }) => element.name), scales: new Map(scales) };
}

function isDecimal({ element, children }: SchemaTree): boolean {
  const isMarked = element.converted_type === "DECIMAL" || element.logical_type?.type === "DECIMAL";
  return children.length === 0 && isMarked;
}

/** @returns undefined for a column that can be read. */
function problemOf(column: SchemaTree, depth = 1): string | undefined {
  const { element, children } = column;
  const logical = element.logical_type?.type ?? element.converted_type ?? "";
  if (depth > DEPTH_MAX * LEVELS_OF_LIST) return "nested too deeply";
  if (/^(MAP|MAP_KEY_VALUE|VARIANT)$/.test(logical)) return logical.toLowerCase();
  if (children.length > 0) {
    if (children.some(isDecimal)) return "decimal numbers within a group";
    return children.map((child) => problemOf(child, depth + 1)).find((problem) => problem !== undefined);
  }
  return element.type === undefined ? "a group without members" : problemOfLeaf(element, logical);
}

/** A list is a group of a group. */
const LEVELS_OF_LIST = 2;

function problemOfLeaf({ type }: SchemaElement, logical: string): string | undefined {
  if (/^(BSON|INTERVAL|GEOMETRY|GEOGRAPHY|UNKNOWN)$/.test(logical)) return logical.toLowerCase();
  const isNamed = /^(UUID|FLOAT16|DECIMAL)$/.test(logical);
  return type === "FIXED_LEN_BYTE_ARRAY" && !isNamed ? "bytes" : undefined;
}

/** Takes away the mark of decimals, whose numbers come as they are stored then: the reader would make them binary fractions. */
export function withoutDecimals(metadata: FileMetaData): FileMetaData {
  const schema = metadata.schema.map((element) => {
    if (element.converted_type !== "DECIMAL" && element.logical_type?.type !== "DECIMAL") return element;
    const { converted_type: _converted, logical_type: _logical, ...stored } = element;
    return stored;
  });
  return { ...metadata, schema };
}
