import type { PGlite } from "@electric-sql/pglite";
import { createLogger } from "@headwater/kernel";
import { createPostgres, type Postgres } from "@headwater/postgres/connection/postgres";
import { listening } from "./listening.ts";
import { serveWire } from "./serveWire.ts";
import { copyTemplate } from "./template.ts";

const STATEMENT_TIMEOUT_MS = 20_000;

export interface MemoryPostgres {
  readonly postgres: Postgres;
  /** The database behind it, for messages of the protocol that our driver does not send. */
  readonly database: PGlite;
  stop(): Promise<void>;
}

/**
 * Starts a Postgres of this process alone, compiled to WebAssembly, with all tables: for fast tests of what speaks SQL. It has one session,
 * so transactions never meet: what depends on locks or on two of them is tested on a real server.
 */
export async function startMemoryPostgres(): Promise<MemoryPostgres> {
  const database = await copyTemplate();
  const server = serveWire(database);
  const postgres = createPostgres({
    url: await listening(server),
    poolMax: 1,
    applicationName: "headwater-test",
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    logger: createLogger({ name: "test", level: "silent" }),
  });
  return {
    postgres,
    database,
    async stop() {
      await postgres.close();
      server.close();
      await database.close();
    },
  };
}
