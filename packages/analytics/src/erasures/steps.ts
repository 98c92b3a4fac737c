import type { StepEnd } from "@headwater/jobs/runner/jobKind";
import type { Transaction } from "@headwater/postgres/connection/session";
import { followStreamWatermark, takeStreamWatermark } from "@headwater/postgres/outbox/streamWatermarks";
import { keepErasedKeys } from "@headwater/records/erasures/erasedKeys";
import {
  deleteEntriesOf,
  scrubOrderPaths,
  scrubOthers,
  scrubRejects,
  setJobInput,
} from "@headwater/records/erasures/erasedTraces";
import { deleteRowsOf, type Erasure, forgetKeysOf } from "@headwater/records/erasures/erasures";
import { keepEarlier } from "./earlierIdentifiers.ts";
import type { At, Erasing, Progress } from "./progress.ts";
import { type ErasedIdentifier, tracesOf } from "./traces.ts";

const CHECK_EVERY_SECONDS = 1;

/** Results of a step outside of its transaction. */
export interface Outside {
  readonly erasure: Erasure;
  /** Identifiers the contact had before. */
  readonly earlier: readonly ErasedIdentifier[];
  readonly sinkSettleMs: number;
  /** Seconds of ClickHouse's clock by which all parts with deleted rows had been written again; absent while they are. */
  readonly rewrittenAt?: number;
  /** Nothing that was replaced by then is on its disk. */
  readonly isGone?: boolean;
}

interface Over {
  readonly transaction: Transaction;
  readonly outside: Outside;
}
type End = Promise<StepEnd<Progress>>;

export async function keepKnown(work: Erasing, transaction: Transaction, outside: Outside): End {
  await learn(work, { transaction, outside });
  return { kind: "more", progress: { phase: "first" } };
}

/** Stores the earlier identifiers: from here on they are searched for like the others, also after a kill. */
async function learn({ jobId, account, input }: Erasing, { transaction, outside }: Over): Promise<void> {
  const { erasure, earlier } = outside;
  const nobodys = await keepEarlier(transaction, erasure, { account, earlier });
  if (nobodys.length === 0) return;
  await setJobInput(transaction, jobId, { ...input, identifiers: [...input.identifiers, ...nobodys] });
}

export async function scrubNext(
  { account, input, nowMs }: Erasing,
  { after, scrubbed: before }: At<"rejects">,
  transaction: Transaction,
): End {
  const { last, scrubbed } = await scrubRejects(transaction, tracesOf(account.number, input), { after, at: nowMs });
  const sum = before + scrubbed;
  if (last === null) return { kind: "more", progress: { phase: "others", scrubbed: sum } };
  return { kind: "more", progress: { phase: "rejects", after: last, scrubbed: sum } };
}

export async function scrubRest({ account, input }: Erasing, at: At<"others">, { transaction, outside }: Over): End {
  await scrubOthers(transaction, tracesOf(account.number, input));
  await deleteEntriesOf(transaction, account.number, outside.erasure.records);
  const marks = await takeStreamWatermark(transaction);
  return { kind: "more", progress: { ...at, phase: "sinks", marks } };
}

export async function follow({ scrubbed, marks: before }: At<"sinks">, transaction: Transaction): End {
  const now = await followStreamWatermark(transaction, before);
  if (now === "passed") return { kind: "more", progress: { phase: "close", scrubbed } };
  return { kind: "wait", progress: { phase: "sinks", scrubbed, marks: now }, seconds: CHECK_EVERY_SECONDS };
}

export async function closeToSinks(work: Erasing, { scrubbed }: At<"close">, { transaction, outside }: Over): End {
  await learn(work, { transaction, outside });
  await keepErasedKeys(transaction, outside.erasure);
  return { kind: "more", progress: { phase: "settle", scrubbed, since: work.nowMs } };
}

export async function settle({ nowMs }: Erasing, at: At<"settle">, { sinkSettleMs: sinkResolveMs }: Outside): End {
  const leftMs = at.since + sinkResolveMs - nowMs;
  if (leftMs <= 0) return { kind: "more", progress: { phase: "last", scrubbed: at.scrubbed } };
  return { kind: "wait", progress: at, seconds: Math.ceil(leftMs / 1_000) };
}

/** Batches that were under way when the contact was erased may have written rows of it and refused records since. */
export async function scrubAgain(
  { account, input, nowMs }: Erasing,
  { scrubbed: before }: At<"last">,
  { transaction, outside }: Over,
): End {
  await deleteRowsOf(transaction, outside.erasure);
  const traces = tracesOf(account.number, input);
  let scrubbed = before;
  for (let after: string | null = ""; after !== null; ) {
    const page: Awaited<ReturnType<typeof scrubRejects>> = await scrubRejects(transaction, traces, {
      after,
      at: nowMs,
    });
    scrubbed += page.scrubbed;
    after = page.last;
  }
  await scrubOthers(transaction, traces);
  await scrubOrderPaths(transaction, outside.erasure);
  return { kind: "more", progress: { phase: "masks", scrubbed } };
}

export async function followMasks({ scrubbed }: At<"masks">, { rewrittenAt }: Outside): End {
  if (rewrittenAt === undefined) {
    return { kind: "wait", progress: { phase: "masks", scrubbed }, seconds: CHECK_EVERY_SECONDS };
  }
  return { kind: "more", progress: { phase: "parts", scrubbed, since: rewrittenAt } };
}

/** Forgets the keys of the erasure with it: ids of orders may be as personal as addresses. */
export async function finish({ jobId }: Erasing, at: At<"parts">, { transaction, outside }: Over): End {
  if (outside.isGone !== true) return { kind: "wait", progress: at, seconds: CHECK_EVERY_SECONDS };
  await forgetKeysOf(transaction, outside.erasure);
  await setJobInput(transaction, jobId, {});
  const result = { totalRecords: 1, updated: 1 };
  return { kind: "done", totalItems: 1, completedItems: 1, result, metadata: { recordsScrubbed: at.scrubbed } };
}
