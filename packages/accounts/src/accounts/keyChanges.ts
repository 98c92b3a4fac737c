import { type Logger, type Part, retryForever } from "@headwater/kernel";
import type { Admission } from "@headwater/postgres/connection/admission";
import { withOwnConnection } from "@headwater/postgres/connection/ownConnection";

export interface KeyChangesOptions {
  readonly url: string;
  /** Name that operators see in pg_stat_activity. */
  readonly applicationName: string;
  /** Called with the hash of a key that was revoked, replaced or narrowed, soon after the transaction committed. */
  readonly onChange: (keyHash: string) => void;
  /** Keys of a server that is refused are not listened for. */
  readonly admission?: Admission | undefined;
  readonly logger: Logger;
}

const CHANNEL = "headwater_api_keys";
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
  const { url, applicationName, admission, onChange, logger } = options;
  await withOwnConnection({ url, applicationName, admission, signal, logger }, async (client, lost) => {
    client.on("notification", ({ payload }) => payload !== undefined && onChange(payload));
    await Promise.race([client.query(`LISTEN ${CHANNEL}`), lost]);
    onListening();
    await lost;
  });
}
