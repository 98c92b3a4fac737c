import * as tables from "./allTables.ts";

export * from "./allTables.ts";
export {
  decimal4,
  enum8,
  flag,
  float64,
  keyword,
  moment,
  nullable,
  string,
  uInt8,
  uInt16,
  uInt32,
  uInt64,
} from "./columns.ts";
export { defineTable, type RowOf, type Table } from "./defineTable.ts";
export { type SharedColumns, sharedColumns } from "./sharedColumns.ts";

/** Every table that the migrations make, but their own `schema_migrations`. */
export const clickHouseTables = Object.values(tables);
