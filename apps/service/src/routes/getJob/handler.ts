import { type Account, lanes, type Receipt, sealReceipt, toTimestamp } from "@headwater/contracts";
import { type Answer, refusal } from "@headwater/http";
import { type Redrive, readRedrive } from "@headwater/stores";
import type { ServicePorts } from "../../ports.ts";
import { readOutcome } from "../getReceipt/handler.ts";

const ASK_AGAIN_SECONDS = "1";

/** Throws 404 `RECORD_NOT_FOUND`. */
export async function readOneJob(
  id: string,
  account: Account,
  { postgres, secret }: Pick<ServicePorts, "postgres" | "secret">,
): Promise<Answer> {
  const redrive = await readRedrive(postgres, account.number, id);
  if (redrive === undefined) throw refusal("RECORD_NOT_FOUND", "There is no job with this id.");
  const receipt = receiptOf(redrive, account);
  const outcome = await readOutcome(receipt, account.number, undefined, postgres);
  const body = toJob(redrive, outcome, sealReceipt(receipt, secret));
  return { status: 200, body, ...(body.status === "Done" ? {} : { headers: { "Retry-After": ASK_AGAIN_SECONDS } }) };
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

/** It is done when all its records are in the log and have their end; a parked one has none yet. */
export function toJob(redrive: Redrive, { state, records }: Pick<Outcome, "state" | "records">, receipt: string) {
  const { id, selected, refused, startedAt, writtenAt } = redrive;
  const isDone = writtenAt !== null && state !== "pending";
  const running = startedAt === null ? ("Pending" as const) : ("Processing" as const);
  const rejected = records.rejected + refused;
  return {
    id,
    jobName: "RedriveDeadLetters" as const,
    status: isDone ? ("Done" as const) : running,
    totalItems: selected,
    completedItems: records.applied + records.skipped + rejected,
    times: { start: timeOf(startedAt), end: isDone ? timeOf(writtenAt) : null },
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

function timeOf(ms: number | null): string | null {
  return ms === null ? null : toTimestamp(ms);
}
