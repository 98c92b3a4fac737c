import { type Account, type Receipt, sealReceipt, streamOfTopic, toTimestamp } from "@headwater/contracts";
import { REDRIVE_JOB, type Redrive, readRedrive } from "@headwater/intake/deadLetters/redrives";
import { readOutcome } from "@headwater/intake/receipts/routes/getReceipt";
import type { Session } from "@headwater/postgres/connection/session";
import type { RoutePorts } from "../ports.ts";
import { type JobView, timeOf } from "./jobView.ts";

export interface RedriveAsked {
  readonly id: string;
  readonly account: Account;
  readonly withStatistic: boolean;
}

/** A redrive of dead letters as a job; undefined without one. @param session of a snapshot read. */
export async function readRedriveView(
  session: Session,
  { id, account, withStatistic }: RedriveAsked,
  { secret, cursors }: Pick<RoutePorts, "secret" | "cursors">,
): Promise<JobView | undefined> {
  const redrive = await readRedrive(session, account.number, id);
  if (redrive === undefined) return undefined;
  const receipt = receiptOf(redrive, account);
  const outcome = await readOutcome(receipt, account.number, undefined, { session, cursors });
  const view = toJob(redrive, outcome, sealReceipt(receipt, secret));
  const { createdAt, taken, published } = redrive;
  return withStatistic ? { ...view, statistic: { created: toTimestamp(createdAt), taken, published } } : view;
}

/** Returns the receipt of what was written so far. */
function receiptOf({ id, createdAt, parts }: Redrive, account: Account): Receipt {
  return {
    requestId: id,
    accountId: account.id,
    receivedAt: createdAt,
    parts: parts.map(({ topic, partition, firstOffset, lastOffset, count }) => ({
      lane: streamOfTopic(topic),
      partition,
      firstOffset,
      firstPlace: 0,
      lastOffset,
      lastPlace: 0,
      count,
    })),
  };
}

/** It is done when all its records are in the log and have their end; a parked one has none yet. One that was cancelled is over. */
export function toJob(
  redrive: Redrive,
  { state, records }: Pick<Outcome, "state" | "records">,
  receipt: string,
): JobView {
  const { id, selected, refused, startedAt, writtenAt, canceledAt } = redrive;
  const isDone = writtenAt !== null && state !== "pending";
  const running = startedAt === null ? "Pending" : "Processing";
  const status = isDone ? "Done" : running;
  const endedAt = isDone ? writtenAt : null;
  const rejected = records.rejected + refused;
  const completedItems = records.applied + records.skipped + rejected;
  // A letter that came between the count and the redrive is one of its dead letters, too.
  const totalItems = Math.max(selected, completedItems);
  return {
    id,
    jobName: REDRIVE_JOB,
    status: canceledAt === null ? status : "Canceled",
    totalItems,
    completedItems,
    times: { start: timeOf(startedAt), end: timeOf(canceledAt ?? endedAt) },
    result: {
      totalRecords: totalItems,
      inserted: 0,
      updated: records.applied,
      rejected,
      error: 0,
      ignored: records.skipped,
    },
    metadata: { ...(writtenAt !== null && { receipt }), refused },
  };
}

type Outcome = Awaited<ReturnType<typeof readOutcome>>;
