import type { NewWebhookEvent } from "@headwater/api/webhookEvents/publishEvents";
import { type Account, type ReceiptPart, type RejectRow, sealReceipt } from "@headwater/contracts";
import { topicNamed } from "@headwater/topics";
import { NO_ACCOUNT } from "./rejectRows.ts";

export interface RejectedAt {
  readonly nowMs: number;
  /** Accounts of the batch by their numbers. */
  readonly accounts?: ReadonlyMap<number, Pick<Account, "id">>;
  /** Seals receipts; without it events have none. */
  readonly receiptSecret?: string | undefined;
}

/**
 * Returns the events about records that a batch refused for good, by the account's number: one for those of a request that have their
 * operation and code in common. A record that waits for its contact is not refused yet, and a message that nobody can read has no account.
 */
export function toRejectedEvents(
  rejects: readonly RejectRow[],
  { nowMs, accounts, receiptSecret }: RejectedAt,
): ReadonlyMap<number, NewWebhookEvent[]> {
  const refused = rejects.filter(({ status, account }) => status === "open" && account !== NO_ACCOUNT);
  const groups = Map.groupBy(refused, ({ account, requestId, operation, code }) =>
    JSON.stringify([account, requestId, operation, code]),
  );
  const events = [...groups.values()].flatMap((own) => {
    const [first] = own;
    if (first === undefined) return [];
    const { account, requestId, operation, code, recordId } = first;
    const accountId = accounts?.get(account)?.id;
    const isSealed = accountId !== undefined && receiptSecret !== undefined;
    const receipt = isSealed ? { receipt: receiptOf(own, { accountId, receiptSecret }) } : {};
    const data = { operation, code, count: own.length, ...receipt, requestId };
    // The first record names the part of the request that this batch holds.
    return [{ account, type: "intake.rejected", source: `${recordId}/${code}`, at: nowMs, data, ids: data } as const];
  });
  const byAccount = Map.groupBy(events, ({ account }) => account);
  return new Map([...byAccount].map(([account, own]) => [account, own.map(({ account: _, ...event }) => event)]));
}

interface Sealing {
  readonly accountId: string;
  readonly receiptSecret: string;
}

/** Returns a receipt of refused records alone: what the request's others came to, only its own receipt knows. */
function receiptOf(rejects: readonly RejectRow[], { accountId, receiptSecret }: Sealing): string {
  const [first] = rejects;
  const { requestId = "", receivedAt = 0 } = first ?? {};
  return sealReceipt({ requestId, accountId, receivedAt, parts: partsOf(rejects) }, receiptSecret);
}

function partsOf(rejects: readonly RejectRow[]): ReceiptPart[] {
  const byPartition = Map.groupBy(rejects, ({ topic, partition }) => JSON.stringify([topic, partition]));
  return [...byPartition.values()].flatMap((own) => {
    const sorted = own.toSorted((a, b) => a.logOffset - b.logOffset || a.place - b.place);
    const [first, last] = [sorted[0], sorted.at(-1)];
    const lane = first && topicNamed(first.topic).lane;
    if (first === undefined || last === undefined || lane === undefined) return [];
    const from = { firstOffset: first.logOffset, firstPlace: first.place };
    const to = { lastOffset: last.logOffset, lastPlace: last.place };
    return [{ lane, partition: first.partition, ...from, ...to, count: own.length }];
  });
}
