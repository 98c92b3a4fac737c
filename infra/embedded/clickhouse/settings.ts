import { totalmem } from "node:os";

const GIB = 1024 ** 3;
const MEMORY_MIN = GIB;
const MEMORY_MAX = 6 * GIB;
const CACHE_BYTES = 128 * 1024 * 1024;

/** A quarter of the machine, between 1 and 6 GiB; a query gets at most three quarters of that. */
function memoryBytesMax(): number {
  return Math.min(Math.max(Math.floor(totalmem() / 4), MEMORY_MIN), MEMORY_MAX);
}

/** The server's own settings, in ClickHouse's XML; `users` is the path of the file with `userSettings`. */
export function serverSettings(users: string): string {
  return `<clickhouse>
  <max_server_memory_usage>${memoryBytesMax()}</max_server_memory_usage>
  <mark_cache_size>${CACHE_BYTES}</mark_cache_size>
  <primary_index_cache_size>${CACHE_BYTES}</primary_index_cache_size>
  <users_config>${users}</users_config>
</clickhouse>
`;
}

/** One user without a password, from this machine only. */
export function userSettings(): string {
  const queryBytesMax = Math.floor((memoryBytesMax() * 3) / 4);
  return `<clickhouse>
  <profiles><default><max_memory_usage>${queryBytesMax}</max_memory_usage></default></profiles>
  <users>
    <default>
      <password></password>
      <networks><ip>127.0.0.1</ip></networks>
      <profile>default</profile>
      <quota>default</quota>
      <access_management>1</access_management>
    </default>
  </users>
  <quotas><default/></quotas>
</clickhouse>
`;
}
