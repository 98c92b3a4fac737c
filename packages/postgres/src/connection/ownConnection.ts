import { type Logger, withTimeout } from "@headwater/kernel";
import pg from "pg";
import { type Admission, sessionOn } from "./admission.ts";

/** A connection of its own, outside of the pool. */
export type OwnClient = pg.Client;

export interface OwnConnectionOptions {
  readonly url: string;
  /** Name that operators see in pg_stat_activity. */
  readonly applicationName: string;
  /** Asked about the server before anything else is. */
  readonly admission: Admission | undefined;
  /** Ends the connection, and what is under way on it. */
  readonly signal: AbortSignal;
  /** Time for each answer; default: as long as it takes. */
  readonly answerTimeoutMs?: number;
  readonly logger: Logger;
}

const CONNECT_TIMEOUT_MS = 5_000;
const END_TIMEOUT_MS = 1_000;

/**
 * Lends a connection that is shared with nobody: for locks, notifications and statements that take long.
 * @param work gets a promise besides, which rejects when the connection is lost or the signal fires.
 */
export async function withOwnConnection<Result>(
  options: OwnConnectionOptions,
  work: (client: OwnClient, lost: Promise<never>) => Promise<Result>,
): Promise<Result> {
  const { admission, signal, logger } = options;
  signal.throwIfAborted();
  const client = new pg.Client({
    connectionString: options.url,
    application_name: options.applicationName,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    options: "-c client_connection_check_interval=2000",
    ...(options.answerTimeoutMs !== undefined && { query_timeout: options.answerTimeoutMs }),
  });
  const { promise: lost, reject } = Promise.withResolvers<never>();
  // It may be lost before anybody waits for it; a later wait fails all the same.
  lost.catch((error: unknown) => logger.debug({ err: error }, "a connection was lost"));
  let ended: Promise<void> | undefined;
  const end = () => {
    ended ??= endClient(client, logger);
    return ended;
  };
  const onAbort = () => {
    reject(signal.reason);
    void end();
  };
  client.on("error", reject);
  client.once("end", () => reject(new Error("the connection was lost")));
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    await Promise.race([client.connect(), lost]);
    await admission?.admit(sessionOn(client));
    return await work(client, lost);
  } finally {
    // The signal lives longer than the connection.
    signal.removeEventListener("abort", onAbort);
    await end();
  }
}

async function endClient(client: OwnClient, logger: Logger): Promise<void> {
  await withTimeout(() => client.end(), END_TIMEOUT_MS).catch((error: unknown) =>
    logger.debug({ err: error }, "closing a connection failed"),
  );
}
