import type { Transaction } from "@headwater/postgres/connection/session";
import type { BatchMessageKey } from "./batchMessages.ts";
import { cancelMessageSends, countMessageSends } from "./messageSends.ts";
import { readChunkTotals } from "./sendChunks.ts";
import { setAudienceTotal, setMessageStatus } from "./startMessages.ts";

export interface MessageStop extends BatchMessageKey {
  readonly status: "canceled" | "failed";
  readonly reason?: string;
}

/**
 * Ends a message that is locked before all of its audience has got it: nothing more is intended. Contacts without a row count as
 * canceled from now on, and get their rows by and by.
 */
export async function stopMessage(
  transaction: Transaction,
  { account, id, status, reason }: MessageStop,
  nowMs: number,
): Promise<void> {
  const key = { account, id };
  await cancelMessageSends(transaction, key, nowMs);
  const [{ rows }, { contacts }] = await Promise.all([
    countMessageSends(transaction, key),
    readChunkTotals(transaction, key),
  ]);
  if (rows + contacts > 0) await setAudienceTotal(transaction, { ...key, audienceTotal: rows + contacts });
  await setMessageStatus(transaction, { ...key, status, ...(reason !== undefined && { reason }) }, nowMs);
}
