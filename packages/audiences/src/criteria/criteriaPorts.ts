import type { ClickHouse } from "@headwater/clickhouse/clickhouse";
import type { Postgres } from "@headwater/postgres/connection/postgres";

/** Stores that know what criteria may name. */
export interface CriteriaPorts {
  readonly postgres: Pick<Postgres, "transaction">;
  readonly clickHouse: Pick<ClickHouse, "query">;
}
