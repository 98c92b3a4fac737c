import type { RowBinary } from "../rowBinary.ts";

/** Type of a column: what ClickHouse calls it, and how a value of it is written. */
export interface Column<Value> {
  /** Its text in `system.columns`. */
  readonly type: string;
  write(rows: RowBinary, value: Value): void;
  /** Bytes of every value; left out where values differ in length. */
  readonly bytes?: number;
}

export const uInt8: Column<number> = { type: "UInt8", write: (rows, value) => rows.uint8(value), bytes: 1 };
/** A UInt8 that is 1 for true. */
export const flag: Column<boolean> = { type: "UInt8", write: (rows, value) => rows.uint8(value ? 1 : 0), bytes: 1 };
export const uInt16: Column<number> = { type: "UInt16", write: (rows, value) => rows.uint16(value), bytes: 2 };
export const uInt32: Column<number> = { type: "UInt32", write: (rows, value) => rows.uint32(value), bytes: 4 };
export const uInt64: Column<number> = { type: "UInt64", write: (rows, value) => rows.int64(value), bytes: 8 };
export const float64: Column<number> = { type: "Float64", write: (rows, value) => rows.float64(value), bytes: 8 };
/** An amount in ten-thousandths. */
export const decimal4: Column<bigint> = {
  type: "Decimal(18, 4)",
  write: (rows, value) => rows.decimal4(value),
  bytes: 8,
};
export const string: Column<string> = { type: "String", write: (rows, value) => rows.string(value) };
/** A text of few values. */
export const keyword: Column<string> = {
  type: "LowCardinality(String)",
  write: (rows, value) => rows.string(value),
};
/** An instant in milliseconds since 1970. */
export const moment: Column<number> = {
  type: "DateTime64(3, 'UTC')",
  write: (rows, value) => rows.int64(value),
  bytes: 8,
};

/** Returns the type whose values are those of another one, or null. */
export function nullable<Value>({ type, write }: Column<Value>): Column<Value | null> {
  return {
    type: `Nullable(${type})`,
    write(rows, value) {
      rows.uint8(value === null ? 1 : 0);
      if (value !== null) write(rows, value);
    },
  };
}

/** Returns an Enum8 of the names given, each with its number in the store. */
export function enum8<Name extends string>(numbers: Readonly<Record<Name, number>>): Column<Name> {
  const values = Object.entries<number>(numbers).map(([name, number]) => `'${name}' = ${number}`);
  return { type: `Enum8(${values.join(", ")})`, write: (rows, value) => rows.uint8(numbers[value]), bytes: 1 };
}
