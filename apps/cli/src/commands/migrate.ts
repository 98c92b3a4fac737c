import { migrateClickHouse } from "@headwater/clickhouse/migrate";
import { migratePostgres } from "@headwater/postgres/migrate/migrate";
import type { Command } from "commander";
import { needed, withoutCredentials } from "../addresses.ts";
import type { Call, CallOf } from "../call.ts";
import { addDryRun } from "../options.ts";
import { showRows } from "../output/show.ts";
import { addLeaf } from "./command.ts";

/** Migrations go forward only, and may run at any time and twice: there is nothing to confirm. */
export function addMigrate(program: Command, callOf: CallOf): void {
  addLeaf(
    program,
    {
      usage: "migrate",
      summary: "Bring the schemas of Postgres and ClickHouse up to date.",
      examples: ["headwater migrate", "headwater migrate --dry-run"],
      options: addDryRun,
      run: migrate,
    },
    callOf,
  );
}

async function migrate(call: Call): Promise<void> {
  const { addresses, logger, options, terminal } = call;
  const postgresUrl = needed(addresses, "POSTGRES_URL");
  const clickhouseUrl = needed(addresses, "CLICKHOUSE_URL");
  if (options.dryRun) {
    terminal.say(`Would bring up to date: ${withoutCredentials(postgresUrl)} and ${withoutCredentials(clickhouseUrl)}`);
    return;
  }
  const inPostgres = await migratePostgres({ url: postgresUrl, logger });
  const cluster = addresses.CLICKHOUSE_CLUSTER;
  const inClickHouse = await migrateClickHouse({
    url: clickhouseUrl,
    logger,
    ...(cluster === undefined ? {} : { cluster }),
  });
  const rows = [
    ...inPostgres.map((migration) => ({ store: "postgres", migration })),
    ...inClickHouse.map((migration) => ({ store: "clickhouse", migration })),
  ];
  if (rows.length === 0) terminal.say("Both stores are up to date.");
  if (rows.length > 0 || options.format !== "table") showRows(call, ["store", "migration"], rows);
}
