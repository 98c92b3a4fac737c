import { createClickHouseWitness } from "@headwater/guard/clickHouseWitness/clickHouseWitness";
import { createWitnessStores } from "@headwater/guard/clickHouseWitness/witnessStores";
import { HeadwaterError, systemClock } from "@headwater/kernel";
import type { Call } from "../call.ts";
import { failedPart, type PartStatus, unknownPart } from "./parts.ts";

const PART = "clickhouse data";

/** Checks whether ClickHouse holds everything that it has confirmed to Postgres. */
export async function checkClickHouse({
  addresses,
  connections,
  logger,
}: Pick<Call, "addresses" | "connections" | "logger">): Promise<PartStatus> {
  if (addresses.POSTGRES_URL === undefined || addresses.CLICKHOUSE_URL === undefined) return unknownPart(PART);
  try {
    await connections.withPostgres((postgres) =>
      connections.withClickHouse((clickhouse) => {
        const stores = createWitnessStores(postgres, clickhouse);
        return createClickHouseWitness({ stores, establishes: false, clock: systemClock, logger }).expectIntact();
      }),
    );
    return { part: PART, state: "ok", detail: "holds everything that it has confirmed" };
  } catch (error) {
    if (error instanceof HeadwaterError && error.code === "STORE_WENT_BACK")
      return { part: PART, state: "lost", detail: error.publicMessage };
    return failedPart(PART, error);
  }
}
