import { type Account, lanes, type Receipt, sealReceipt } from "@headwater/contracts";
import type { Postgres } from "@headwater/postgres/connection/postgres";
import { openOffset, setOffset } from "@headwater/postgres/streams/streamOffsets";
import { nowMs, SECRET } from "./running.ts";

/** Receipts for records at one offset of a partition of intake.records, each of another request. */
export function receiptsOf(account: () => Account) {
  let requests = 0;
  return (partition: number, offset: number, count: number, more: Partial<Receipt> = {}) => {
    requests += 1;
    const at = { firstOffset: offset, firstPlace: 0, lastOffset: offset, lastPlace: count - 1 };
    const receipt: Receipt = {
      requestId: `request${requests}`,
      accountId: account().id,
      receivedAt: nowMs(),
      parts: [{ lane: lanes["intake.records"], partition, ...at, count }],
      ...more,
    };
    return { requestId: receipt.requestId, token: sealReceipt(receipt, SECRET) };
  };
}

/** Moves a group on, as the projector does. */
export function movesOn(postgres: () => Postgres) {
  return async (
    group: string,
    partition: number,
    nextOffset: number,
    { topic = "intake.records", outboxPosition = 0, greatestTime = 0 } = {},
  ): Promise<void> => {
    const key = { group, topic, generation: 1, partition };
    await openOffset(postgres(), key, 0);
    const to = { nextOffset, lastRecordId: null, greatestTime, outboxPosition, windowFrom: 0 };
    await postgres().transaction((transaction) => setOffset(transaction, key, to));
  };
}
