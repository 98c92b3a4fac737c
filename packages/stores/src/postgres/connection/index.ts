export type { BoundedRows } from "./documentBound.ts";
export { DocumentsTooLarge, type PostgresFailure, postgresFailure, withSlowStatement } from "./failures.ts";
export { type MigratePostgresOptions, migratePostgres } from "./migrate.ts";
export { createPostgres, type Postgres, type PostgresOptions } from "./postgres.ts";
export {
  createResourceTable,
  type ResourceRow,
  type ResourceTable,
  type RowName,
  type RowOf,
} from "./resourceTable.ts";
export { rehearse, withSavepoint } from "./savepoint.ts";
export type { AtCommit, Session, Statement, Transaction, Value } from "./session.ts";
export { createSoleHolder, type SoleHolder, type SoleHolderOptions } from "./soleHolder.ts";
export { createStoreClock, readStoreClock, type StoreClock } from "./storeClock.ts";
