import { refusal } from "@headwater/http";
import type { StoredBatchMessage } from "@headwater/stores/batchMessages";
import type { Session } from "@headwater/stores/postgres";
import { readDefaultTransport, readTransport, type StoredTransport } from "@headwater/stores/transports";

/** Returns the transport that a message goes out by. @throws HeadwaterError 422 `TRANSPORT_REQUIRED` when there is none that is enabled. */
export async function outwardTransport(
  session: Session,
  { account, channel, transportId }: Pick<StoredBatchMessage, "account" | "channel" | "transportId">,
): Promise<StoredTransport> {
  const found =
    transportId === null
      ? await readDefaultTransport(session, account, channel)
      : await readTransport(session, account, transportId);
  if (found?.enabled === true) return found;
  throw refusal("TRANSPORT_REQUIRED", `The channel ${JSON.stringify(channel)} has no transport that is enabled.`);
}
