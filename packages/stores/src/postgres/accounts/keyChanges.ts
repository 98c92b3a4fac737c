import { type Logger, type Part, retryForever, withTimeout } from "@headwater/kernel";
import pg from "pg";

export interface KeyChangesOptions {
  readonly url: string;
  /** Name that operators see in pg_stat_activity. */
  readonly applicationName: string;
  /** Called with the hash of a key that was revoked, replaced or narrowed, soon after the transaction committed. */
  readonly onChange: (keyHash: string) => void;
  readonly logger: Logger;
}

const CHANNEL = "headwater_api_keys";
const CONNECT_TIMEOUT_MS = 5_000;
const END_TIMEOUT_MS = 1_000;
const RETRY = { minMs: 250, maxMs: 5_000 };

/**
 * Listens for changed keys on a connection of its own, and connects again for ever. What is notified while there is no connection is
 * lost: whoever keeps keys asks for each again within its time as well.
 */
export function listenForKeyChanges(options: KeyChangesOptions): Part {
  const stopping = new AbortController();
  let listening: Promise<void> | undefined;
  let isLogged = false;
  const onListening = () => {
    isLogged = false;
  };
  const listen = () =>
    retryForever(() => listenOnce(options, stopping.signal, onListening), {
      ...RETRY,
      signal: stopping.signal,
      isRetriable: () => true,
      onRetry: ({ error }) => {
        if (!isLogged) options.logger.warn({ err: error }, "LISTEN for key changes failed; polling keys every second");
        isLogged = true;
      },
    });
  return {
    start: () => {
      listening = listen().catch((error: unknown) => options.logger.debug({ err: error }, "LISTEN connection ended"));
    },
    stop: async () => {
      stopping.abort();
      await listening;
    },
  };
}

/** @throws (rejects) when the connection is lost; always rejects in the end. */
async function listenOnce(options: KeyChangesOptions, signal: AbortSignal, onListening: () => void): Promise<void> {
  const { url, applicationName, onChange, logger } = options;
  const client = new pg.Client({
    connectionString: url,
    application_name: applicationName,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
  });
  client.on("notification", ({ payload }) => payload !== undefined && onChange(payload));
  const { lost, forget } = lossOf(client, signal);
  try {
    await Promise.race([client.connect(), lost]);
    await Promise.race([client.query(`LISTEN ${CHANNEL}`), lost]);
    onListening();
    await lost;
  } finally {
    forget();
    await withTimeout(() => client.end(), END_TIMEOUT_MS).catch((error: unknown) =>
      logger.debug({ err: error }, "closing a connection failed"),
    );
  }
}

/** `lost` rejects when the connection ends or nobody wants it any more; `forget` leaves nothing on the signal, which lives longer. */
function lossOf(client: pg.Client, signal: AbortSignal) {
  const { promise: lost, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(signal.reason);
  client.on("error", reject);
  client.once("end", () => reject(new Error("the connection was lost")));
  signal.addEventListener("abort", onAbort, { once: true });
  // It may be lost before anybody waits for it; a later wait fails all the same.
  lost.catch(() => undefined);
  return { lost, forget: () => signal.removeEventListener("abort", onAbort) };
}
