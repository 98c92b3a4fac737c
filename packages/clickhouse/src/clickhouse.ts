import { Readable } from "node:stream";
import { ClickHouseLogLevel, type ClickHouseSettings, createClient } from "@clickhouse/client";
import type { FairGate, FlowContext, Logger } from "@headwater/kernel";
import { connectionsOf } from "./connections.ts";
import { toPublicError } from "./failures.ts";
import { parserSettings, toSentStatement } from "./statement.ts";

/** Shares of the accounts in what ClickHouse can do. */
export interface QueryShares {
  readonly flows: FlowContext;
  readonly queries: FairGate;
}

export interface ClickHouseOptions {
  /** The path is the database: `http://host:8123/headwater`. */
  readonly url: string;
  readonly requestTimeoutMs: number;
  readonly logger: Logger;
  /** Default 10. */
  readonly connectionsMax?: number;
  /** Default: first come, first served. */
  readonly shares?: QueryShares;
}

export interface QueryOptions {
  readonly settings?: ClickHouseSettings;
  readonly signal?: AbortSignal;
  /** Default: `requestTimeoutMs`. */
  readonly timeoutMs?: number;
}

export interface Block {
  readonly table: string;
  readonly columns: readonly string[];
  /** A Buffer is RowBinary (rowBinary.ts: half again as fast in the server), a string JSONCompactEachRow. */
  readonly body: Buffer | string;
  /** A block whose token the table has seen within its window is dropped. */
  readonly token: string;
  readonly signal?: AbortSignal;
  readonly settings?: ClickHouseSettings;
}

/** Errors: a HeadwaterError SERVICE_UNAVAILABLE (retriable) when ClickHouse is away or a limit is passed; else `clickHouseFailure`. */
export interface ClickHouse {
  /** Parameters are bound as `{name: Type}`. Numbers of 64 bits come as numbers, decimals as strings. */
  query<Row>(sql: string, params?: Readonly<Record<string, unknown>>, options?: QueryOptions): Promise<Row[]>;
  /** Inserts all of the block as one part, or nothing of it; returns when it is there. */
  insertBlock(block: Block): Promise<void>;
  /** Runs a statement without an answer. */
  command(sql: string, params?: Readonly<Record<string, unknown>>, options?: QueryOptions): Promise<void>;
  /** Rejects when ClickHouse does not answer. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** Larger blocks could be cut by the server, and a cut block is not one part. */
export const BLOCK_BYTES_MAX = 64 * 1024 * 1024;

const querySettings: ClickHouseSettings = {
  output_format_json_quote_64bit_integers: 0,
  output_format_json_quote_decimals: 1,
};
/**
 * `async_insert` is on by default in new servers and answers before deduplication by token; parallel parsing cuts a body into blocks by
 * size. Both would break "one body, one part, one token".
 */
const insertSettings: ClickHouseSettings = { async_insert: 0, input_format_parallel_parsing: 0 };

/** A client over HTTP; connects when first asked. Bodies go uncompressed: the network to ClickHouse is local, the cores are not free. */
export function createClickHouse(options: ClickHouseOptions): ClickHouse {
  const client = createClient({
    ...connectionsOf({ url: options.url, connectionsMax: options.connectionsMax ?? 10 }),
    request_timeout: options.requestTimeoutMs,
    compression: { request: false, response: false },
    use_multipart_params_auto: true,
    log: { level: ClickHouseLogLevel.OFF },
  });
  const deadline = (signal: AbortSignal | undefined, timeoutMs = options.requestTimeoutMs): Deadline => {
    // What is left of a bound is seldom a whole millisecond.
    const timeout = AbortSignal.timeout(Math.ceil(timeoutMs));
    return { timeout, signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]) };
  };
  const request = (
    sql: string,
    params: Readonly<Record<string, unknown>>,
    input: QueryOptions,
    abort_signal: AbortSignal,
  ) => ({
    ...toSentStatement(sql, params),
    clickhouse_settings: {
      ...parserSettings,
      ...querySettings,
      ...secondsMax(input.timeoutMs ?? options.requestTimeoutMs),
      ...input.settings,
    },
    abort_signal,
  });
  const { shares } = options;
  /** A query next to others of its account gives way to the first of any other: ClickHouse holds it back while that runs. */
  const inTurn = <Result>(signal: AbortSignal | undefined, ask: (settings: ClickHouseSettings) => Promise<Result>) =>
    shares === undefined
      ? ask({})
      : shares.queries.run(shares.flows.current(), (depth) => ask({ priority: String(depth + 1) }), { signal });
  const close = async () => {
    await client.close();
    options.logger.debug("closed the ClickHouse connections");
  };
  return {
    query: <Row>(sql: string, params = {}, provided: QueryOptions = {}) =>
      inTurn(provided.signal, (settings) =>
        guarded(deadline(provided.signal, provided.timeoutMs), async (signal) => {
          const asked = request(sql, params, { ...provided, settings: { ...settings, ...provided.settings } }, signal);
          const result = await client.query({ ...asked, format: "JSONEachRow" });
          return result.json<Row>();
        }),
      ),
    insertBlock: (block) =>
      guarded(deadline(block.signal), async (abort_signal) => {
        const { stream } = await client.exec({
          query: `INSERT INTO ${block.table} (${block.columns.join(", ")}) FORMAT ${formatOf(block)}`,
          values: Readable.from([bytesOf(block)], { objectMode: false }),
          clickhouse_settings: { ...insertSettings, ...block.settings, insert_deduplication_token: block.token },
          abort_signal,
        });
        await readToEnd(stream);
      }),
    command: (sql, params = {}, received = {}) =>
      guarded(
        deadline(received.signal, received.timeoutMs),
        async (signal) => void (await client.command(request(sql, params, received, signal))),
      ),
    ping: () =>
      guarded(
        deadline(undefined),
        async (abort_signal) => void (await client.command({ query: "SELECT 1", abort_signal })),
      ),
    close,
  };
}

/** The server ends a query itself, so that one nobody waits for costs nothing. */
function secondsMax(timeoutMs: number): ClickHouseSettings {
  return { max_execution_time: Math.max(1, Math.ceil(timeoutMs / 1000)) };
}

function formatOf({ body }: Block): "JSONCompactEachRow" | "RowBinary" {
  return typeof body === "string" ? "JSONCompactEachRow" : "RowBinary";
}

function bytesOf({ body, table }: Block): Buffer {
  const bytes = typeof body === "string" ? Buffer.from(body) : body;
  if (bytes.length > BLOCK_BYTES_MAX)
    throw new RangeError(`a block for ${table} has ${bytes.length} bytes, more than ${BLOCK_BYTES_MAX}`);
  return bytes;
}

/** The socket is free again only when the answer was read. */
async function readToEnd(stream: Readable): Promise<void> {
  for await (const _ of stream);
}

interface Deadline {
  /** Aborted when the time has passed. */
  readonly timeout: AbortSignal;
  /** Aborted then, or when the caller goes away. */
  readonly signal: AbortSignal;
}

async function guarded<Result>(
  { timeout, signal }: Deadline,
  run: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  try {
    return await run(signal);
  } catch (error) {
    throw toPublicError(error, timeout.aborted);
  }
}
