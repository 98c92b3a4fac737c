import type { ClickHouse } from "@headwater/stores/clickhouse";
import type { Postgres } from "@headwater/stores/postgres";

/** Stores that know what criteria may name. */
export interface CriteriaPorts {
  readonly postgres: Pick<Postgres, "transaction">;
  readonly clickHouse: Pick<ClickHouse, "query">;
}
