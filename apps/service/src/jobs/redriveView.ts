import { type Account, lanes, type Receipt, sealReceipt, toTimestamp } from "@headwater/contracts";
import { REDRIVE_JOB, type Redrive } from "@headwater/stores";
import type { ServicePorts } from "../ports.ts";
import { readOutcome } from "../routes/getReceipt/handler.ts";
import { type JobView, timeOf } from "./jobView.ts";

/** A redrive of dead letters as a job. */
export async function viewRedrive(
  redrive: Redrive,
  { account, withStatistic }: { readonly account: Account; readonly withStatistic: boolean },
  { postgres, secret }: Pick<ServicePorts, "postgres" | "secret">,
): Promise<JobView> {
  const receipt = receiptOf(redrive, account);
  const outcome = await readOutcome(receipt, account.number, undefined, postgres);
  const view = toJob(redrive, outcome, sealReceipt(receipt, secret));
  const { createdAt, taken, published } = redrive;
  return withStatistic ? { ...view, statistic: { created: toTimestamp(createdAt), taken, published } } : view;
}

/** What was written so far. */
function receiptOf({ id, createdAt, parts }: Redrive, account: Account): Receipt {
  return {
    requestId: id,
    accountId: account.id,
    receivedAt: createdAt,
    parts: parts.map(({ topic, partition, firstOffset, lastOffset, count }) => ({
      lane: topic === "intake.bulk" ? lanes["intake.bulk"] : lanes["intake.records"],
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
  return {
    id,
    jobName: REDRIVE_JOB,
    status: canceledAt === null ? status : "Canceled",
    totalItems: selected,
    completedItems: records.applied + records.skipped + rejected,
    times: { start: timeOf(startedAt), end: timeOf(canceledAt ?? endedAt) },
    result: {
      totalRecords: selected,
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
