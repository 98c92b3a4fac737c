export { type BulkStatement, type ClickHouseBulk, type ClickHouseBulkOptions, createClickHouseBulk } from "./bulk.ts";
export { clearedFields, FIELD_IS_KEPT } from "./clearedFields.ts";
export {
  BLOCK_BYTES_MAX,
  type Block,
  type ClickHouse,
  type ClickHouseOptions,
  createClickHouse,
  type QueryOptions,
} from "./clickhouse.ts";
export { type RowQuery, readFromCurrentReplica } from "./currentReplica.ts";
export { toDocumentText } from "./documentText.ts";
export { type ClickHouseFailure, clickHouseFailure, isMissingTable, isSchemaFault } from "./failures.ts";
export { type MigrateClickHouseOptions, migrateClickHouse } from "./migrate.ts";
export { RowBinary } from "./rowBinary.ts";
export { STAGING_PREFIX } from "./staging.ts";
