import { randomUUID } from "node:crypto";
import type { Readable } from "node:stream";
import { ClickHouseLogLevel, type ClickHouseSettings, createClient, parseError } from "@clickhouse/client";
import type { Logger } from "@headwater/kernel";
import { connectionsOf } from "./connections.ts";
import { toPublicError } from "./failures.ts";
import { parserSettings, toSentStatement } from "./statement.ts";

/** The server reports an error that comes after the first byte in the last bytes of a body: at most 16 KiB and a frame around it. */
const HELD_BYTES = 32 * 1024;

const MARK = "__exception__";

/** A statement that may take hours. */
export interface BulkStatement {
  readonly sql: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly settings?: ClickHouseSettings;
  /** Aborted: the query is ended in ClickHouse too. */
  readonly signal: AbortSignal;
}

/** Client for long statements, which do not slow down counts. Errors are those of `ClickHouse`. */
export interface ClickHouseBulk {
  /** Runs a statement without an answer, such as an INSERT SELECT; `body` is what an INSERT … FORMAT reads. */
  run(statement: BulkStatement & { readonly body?: Readable }): Promise<void>;
  /**
   * Streams an answer in the form that its FORMAT clause says. Rejects at the end when the server failed after the first byte, so
   * that a stream read to its end is complete.
   */
  read(statement: BulkStatement): AsyncIterable<Buffer>;
  close(): Promise<void>;
}

export interface ClickHouseBulkOptions {
  readonly url: string;
  readonly logger: Logger;
  /** Default 10. */
  readonly connectionsMax?: number;
}

/** A socket is silent while the server sorts: the server, not the client, ends statements that take too long. */
const SILENCE_MS_MAX = 86_400_000;
const KILL_TIMEOUT_MS = 5_000;

/** Queries with a lower number run first; a bulk one still advances block by block. */
const settings: ClickHouseSettings = {
  priority: "1000",
  max_execution_time: 0,
  cancel_http_readonly_queries_on_client_close: 1,
  async_insert: 0,
  output_format_json_quote_64bit_integers: 0,
  // However often a statement reads a table, it is the same rows.
  enable_shared_storage_snapshot_in_query: 1,
};

/** Creates a client with connections of its own, so that exports and counts never wait for each other. */
export function createClickHouseBulk({ url, logger, connectionsMax = 10 }: ClickHouseBulkOptions): ClickHouseBulk {
  const client = createClient({
    ...connectionsOf({ url, connectionsMax }),
    request_timeout: SILENCE_MS_MAX,
    compression: { request: false, response: false },
    use_multipart_params_auto: true,
    log: { level: ClickHouseLogLevel.OFF },
  });
  const end = async (id: string) => {
    try {
      const ended = AbortSignal.timeout(KILL_TIMEOUT_MS);
      await client.command({
        query: "KILL QUERY WHERE query_id = {id: String} ASYNC",
        query_params: { id },
        abort_signal: ended,
      });
    } catch (error) {
      logger.warn({ err: error, queryId: id }, "could not end a bulk query in ClickHouse");
    }
  };
  const send = async ({ sql, params, settings: input, signal, body }: BulkStatement & { readonly body?: Readable }) => {
    signal.throwIfAborted();
    const id = randomUUID();
    const onAbort = () => void end(id);
    signal.addEventListener("abort", onAbort, { once: true });
    try {
      const clickhouse_settings = { ...settings, ...parserSettings, ...input };
      const asked = { ...toSentStatement(sql, params), query_id: id, abort_signal: signal, clickhouse_settings };
      const { stream, response_headers: headers } = await client.exec(
        body === undefined ? asked : { ...asked, values: body },
      );
      return { stream, headers, done: () => signal.removeEventListener("abort", onAbort) };
    } catch (error) {
      signal.removeEventListener("abort", onAbort);
      signal.throwIfAborted();
      throw toPublicError(error);
    }
  };
  async function* read(statement: BulkStatement & { readonly body?: Readable }): AsyncGenerator<Buffer> {
    const { stream, headers, done } = await send(statement);
    try {
      yield* wholeBody(stream, headers[EXCEPTION_TAG_HEADER]);
    } catch (error) {
      statement.signal.throwIfAborted();
      throw toPublicError(error);
    } finally {
      done();
      stream.destroy();
    }
  }
  return {
    read,
    run: async (statement) => {
      for await (const _ of read(statement));
    },
    close: () => client.close(),
  };
}

const EXCEPTION_TAG_HEADER = "x-clickhouse-exception-tag";

/** Passes a body on chunk by chunk, the last ones, which may report an error, only when they do not. */
async function* wholeBody(stream: Readable, tag: string | string[] | undefined): AsyncGenerator<Buffer> {
  const mark = Array.isArray(tag) ? tag[0] : tag;
  const held: Buffer[] = [];
  let heldBytes = 0;
  try {
    for await (const chunk of stream) {
      held.push(chunk);
      heldBytes += chunk.length;
      for (let [first] = held; first !== undefined && heldBytes - first.length >= HELD_BYTES; [first] = held) {
        held.shift();
        heldBytes -= first.length;
        yield first;
      }
    }
  } catch (error) {
    throw failureInBody(Buffer.concat(held), mark) ?? error;
  }
  const tail = Buffer.concat(held);
  const failure = failureInBody(tail, mark);
  if (failure !== undefined) throw failure;
  if (tail.length > 0) yield tail;
}

/**
 * Reads the error at the end of a body whose status was 200 already (ClickHouse, `WriteBufferFromHTTPServerResponse`): a line
 * `__exception__`, a line with the tag that the header `X-ClickHouse-Exception-Tag` promised, then the message. The tag is drawn for each
 * answer, so rows that hold such lines are no error.
 * @param tail at least the body's last 32 KiB.
 */
function failureInBody(tail: Buffer, tag: string | undefined): Error | undefined {
  if (tag === undefined || tag === "") return undefined;
  const begin = `${MARK}\r\n${tag}\r\n`;
  const at = tail.lastIndexOf(begin);
  if (at < 0) return undefined;
  const message = tail.subarray(at + begin.length).toString("utf8");
  return parseError(message.split(`\r\n${MARK}`)[0]?.trim() ?? message);
}
