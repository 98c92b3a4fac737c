import type { NewWebhookEvent } from "@headwater/api/webhookEvents/publishEvents";
import type { RejectRow } from "@headwater/contracts";
import { NO_ACCOUNT } from "./rejectRows.ts";

/**
 * Returns the events about records that a batch refused for good, by the account's number: one for those of a request that have their
 * operation and code in common. A record that waits for its contact is not refused yet, and a message that nobody can read has no account.
 */
export function toRejectedEvents(rejects: readonly RejectRow[], nowMs: number): ReadonlyMap<number, NewWebhookEvent[]> {
  const refused = rejects.filter(({ status, account }) => status === "open" && account !== NO_ACCOUNT);
  const groups = Map.groupBy(refused, ({ account, requestId, operation, code }) =>
    JSON.stringify([account, requestId, operation, code]),
  );
  const events = [...groups.values()].flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    const { account, requestId, operation, code, recordId } = first;
    const data = { operation, code, count: 1 + others.length, requestId };
    // The first record names the part of the request that this batch holds.
    return [{ account, type: "intake.rejected", source: `${recordId}/${code}`, at: nowMs, data, ids: data } as const];
  });
  const byAccount = Map.groupBy(events, ({ account }) => account);
  return new Map([...byAccount].map(([account, own]) => [account, own.map(({ account: _, ...event }) => event)]));
}
