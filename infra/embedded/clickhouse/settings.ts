import { createHash } from "node:crypto";
import { totalmem } from "node:os";

export const CLICKHOUSE_DATABASE = "headwater";
export const CLICKHOUSE_USER = "headwater";

const GIB = 1024 ** 3;
const MEMORY_MIN = GIB;
const MEMORY_MAX = 6 * GIB;
const CACHE_BYTES = 128 * 1024 * 1024;

/** A quarter of the machine, between 1 and 6 GiB; a query gets at most three quarters of that. */
function memoryBytesMax(): number {
  return Math.min(Math.max(Math.floor(totalmem() / 4), MEMORY_MIN), MEMORY_MAX);
}

export interface ServerSettingsOptions {
  /** The file with `userSettings`. */
  readonly users: string;
  readonly password: string;
}

/** The server's own settings, in ClickHouse's XML. */
export function serverSettings({ users, password }: ServerSettingsOptions): string {
  return `<clickhouse>
  <max_server_memory_usage>${memoryBytesMax()}</max_server_memory_usage>
  <mark_cache_size>${CACHE_BYTES}</mark_cache_size>
  <primary_index_cache_size>${CACHE_BYTES}</primary_index_cache_size>
  <users_config>${users}</users_config>
  <http_handlers>${handlers(password)}</http_handlers>
</clickhouse>
`;
}

/**
 * Requests reach the engine with the password alone, as Basic or in ClickHouse's own headers; the rest of them, the pages for
 * browsers too, end at 401. So nobody reaches the user `default`, under which the engine runs its own first queries and which
 * therefore cannot have a password.
 */
function handlers(password: string): string {
  const basic = Buffer.from(`${CLICKHOUSE_USER}:${password}`).toString("base64");
  const query = "<handler><type>dynamic_query_handler</type><query_param_name>query</query_param_name></handler>";
  const own = `<X-ClickHouse-User>${CLICKHOUSE_USER}</X-ClickHouse-User><X-ClickHouse-Key>${password}</X-ClickHouse-Key>`;
  const refusal = "<type>static</type><status>401</status><response_content>Authentication failed.</response_content>";
  return `
    <rule><url>/ping</url><methods>GET,HEAD</methods><handler><type>ping</type></handler></rule>
    <rule><headers><Authorization>Basic ${basic}</Authorization></headers>${query}</rule>
    <rule><headers>${own}</headers>${query}</rule>
    <rule><handler>${refusal}</handler></rule>
  `;
}

/**
 * Everything that migrations, processes and suites do. Nothing that reads or writes outside of the tables, and no users. Poison rows are
 * found in tables of engine Null.
 */
const GRANTS = [
  "SHOW, SELECT, INSERT, ALTER, TRUNCATE, OPTIMIZE, KILL QUERY, SYSTEM CLEANUP ON *.*",
  "CREATE DATABASE, CREATE TABLE, CREATE VIEW, DROP DATABASE, DROP TABLE, DROP VIEW ON *.*",
  ...["Atomic", "MergeTree", "ReplacingMergeTree", "AggregatingMergeTree", "SummingMergeTree", "Null"].map(
    (engine) => `TABLE ENGINE ON ${engine}`,
  ),
];
/** Enough for the first queries (definition.ts). */
const FIRST_GRANTS = [`CREATE DATABASE ON ${CLICKHOUSE_DATABASE}.*`, "TABLE ENGINE ON Atomic", "SYSTEM LISTEN ON *.*"];

/** The user of Headwater's processes with its password, and the engine's own, both from this machine only. */
export function userSettings(password: string): string {
  const queryBytesMax = Math.floor((memoryBytesMax() * 3) / 4);
  const hash = createHash("sha256").update(password).digest("hex");
  return `<clickhouse>
  <profiles><default><max_memory_usage>${queryBytesMax}</max_memory_usage></default></profiles>
  <users>
    ${user("default", "<no_password/>", FIRST_GRANTS)}
    ${user(CLICKHOUSE_USER, `<password_sha256_hex>${hash}</password_sha256_hex>`, GRANTS)}
  </users>
  <quotas><default/></quotas>
</clickhouse>
`;
}

function user(name: string, password: string, grants: readonly string[]): string {
  const queries = grants.map((grant) => `<query>GRANT ${grant}</query>`).join("");
  const rest = "<networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota>";
  return `<${name}>${password}${rest}<grants>${queries}</grants></${name}>`;
}
