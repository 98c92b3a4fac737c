import { randomBytes } from "node:crypto";
import type { ClickHouse } from "@headwater/clickhouse/clickhouse";
import { clickHouseTables } from "@headwater/clickhouse/tables/index";
import { type ClickHouseWitness, createClickHouseWitness } from "@headwater/guard/clickHouseWitness/clickHouseWitness";
import { createWitnessStores } from "@headwater/guard/clickHouseWitness/witnessStores";
import { systemClock } from "@headwater/kernel";
import type { Postgres } from "@headwater/postgres/connection/postgres";
import { logger } from "./fresh.ts";

/** A witness over real stores, as the projector has one; or, with false, as service and worker do. */
export function witnessOver(postgres: Postgres, clickhouse: ClickHouse, establishes = true): ClickHouseWitness {
  const stores = createWitnessStores(postgres, clickhouse);
  return createClickHouseWitness({ stores, establishes, clock: systemClock, logger });
}

export interface ClickHouseCopy {
  /** Gives each table the rows that it had; the tables stay the same ones, as when a data folder is put back. */
  putBack(): Promise<void>;
  drop(): Promise<void>;
}

const OF_EMPTY = "SETTINGS allow_replace_partition_from_empty_source = 1";

/** Copies all tables of a database. */
export async function copyTables(clickhouse: ClickHouse): Promise<ClickHouseCopy> {
  const copy = `copy_${randomBytes(6).toString("hex")}`;
  await clickhouse.command(`CREATE DATABASE ${copy}`);
  for (const { name } of clickHouseTables) {
    await clickhouse.command(`CREATE TABLE ${copy}.${name} AS ${name}`);
    await clickhouse.command(`ALTER TABLE ${copy}.${name} REPLACE PARTITION tuple() FROM ${name} ${OF_EMPTY}`);
  }
  return {
    async putBack() {
      for (const { name } of clickHouseTables)
        await clickhouse.command(`ALTER TABLE ${name} REPLACE PARTITION tuple() FROM ${copy}.${name} ${OF_EMPTY}`);
    },
    drop: () => clickhouse.command(`DROP DATABASE ${copy}`),
  };
}

/** Stops using all tables and loads them from the disk again, as a restart of the server does. */
export async function reload(clickhouse: ClickHouse): Promise<void> {
  for (const { name } of clickHouseTables) {
    await clickhouse.command(`DETACH TABLE ${name} SYNC`);
    await clickhouse.command(`ATTACH TABLE ${name}`);
  }
}
