import type { JobInput } from "@headwater/contracts";
import {
  deleteEntriesOf,
  deleteFileRow,
  deleteRowsOf,
  type Erasure,
  filesAbout,
  followSinkMarks,
  forgetJobInput,
  readErasure,
  type SinkMarks,
  scrubOthers,
  scrubRejects,
  type Transaction,
  takeSinkMarks,
} from "@headwater/stores";
import { z } from "zod";
import { defineJobWithOutside, type JobPorts, type StepEnd, type Work } from "../../runner/jobKind.ts";
import { sinkMarksShape } from "../../runner/sinkMarksShape.ts";
import { deleteInClickHouse } from "./inClickHouse.ts";
import { tracesOf } from "./traces.ts";

const LOOK_EVERY_SECONDS = 1;

const progress = z.discriminatedUnion("phase", [
  z.object({ phase: z.literal("rejects"), after: z.string(), scrubbed: z.number() }),
  z.object({ phase: z.literal("others"), scrubbed: z.number() }),
  z.object({ phase: z.literal("sinks"), scrubbed: z.number(), marks: sinkMarksShape }),
  z.object({ phase: z.literal("last"), scrubbed: z.number() }),
]);
type Progress = z.output<typeof progress>;
type Erasing = Work<JobInput<"DeleteContact">, Progress>;

/**
 * The contact is gone from Postgres since it was asked for. This removes what is left of it elsewhere: refused records, kept
 * answers, files, and its rows in ClickHouse, at once and once more when the groups that write there are past the erasure.
 */
export const deleteContactJob = defineJobWithOutside<"DeleteContact", Progress, Erasure>({
  jobName: "DeleteContact",
  progress,
  async outside({ account, input, progress: at }, ports) {
    const erasure = await readErasure(ports.postgres, account.number, input.version);
    if (erasure === undefined) throw new Error("the erasure of the job is not remembered");
    if (at === undefined || at.phase === "last") await deleteInClickHouse(ports.clickhouse, erasure);
    if (at === undefined || at.phase === "last") await removeFiles(ports, account.id, erasure);
    return erasure;
  },
  async step(work, transaction, erasure) {
    const at = work.progress ?? { phase: "rejects", after: "", scrubbed: 0 };
    switch (at.phase) {
      case "rejects":
        return scrubNext(work, at, transaction);
      case "others":
        return scrubRest(work, at, { transaction, erasure });
      case "sinks":
        return follow(at, transaction);
      case "last":
        return finish(work, at, { transaction, erasure });
    }
  },
});

async function scrubNext(
  { account, input, nowMs }: Erasing,
  { after, scrubbed: before }: Extract<Progress, { phase: "rejects" }>,
  transaction: Transaction,
): Promise<StepEnd<Progress>> {
  const traces = tracesOf(account.number, input.identifiers);
  const { last, scrubbed } = await scrubRejects(transaction, traces, { after, at: nowMs });
  const sum = before + scrubbed;
  if (last === null) return { kind: "more", progress: { phase: "others", scrubbed: sum } };
  return { kind: "more", progress: { phase: "rejects", after: last, scrubbed: sum } };
}

interface Over {
  readonly transaction: Transaction;
  readonly erasure: Erasure;
}

async function scrubRest({ account, input }: Erasing, { scrubbed }: Progress, { transaction, erasure }: Over) {
  await scrubOthers(transaction, tracesOf(account.number, input.identifiers));
  await deleteEntriesOf(transaction, account.number, erasure.records);
  const taken: SinkMarks = await takeSinkMarks(transaction);
  return { kind: "more", progress: { phase: "sinks", scrubbed, marks: taken } } as const;
}

async function follow(
  { scrubbed, marks: before }: Extract<Progress, { phase: "sinks" }>,
  transaction: Transaction,
): Promise<StepEnd<Progress>> {
  const now = await followSinkMarks(transaction, before);
  if (now === "passed") return { kind: "more", progress: { phase: "last", scrubbed } };
  return { kind: "wait", progress: { phase: "sinks", scrubbed, marks: now }, seconds: LOOK_EVERY_SECONDS };
}

/** Batches that were under way when the contact was erased may have written rows of it and refused records since. */
async function finish(
  { jobId, account, input, nowMs }: Erasing,
  { scrubbed: before }: Progress,
  { transaction, erasure }: Over,
): Promise<StepEnd<Progress>> {
  await deleteRowsOf(transaction, erasure);
  const traces = tracesOf(account.number, input.identifiers);
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
  await forgetJobInput(transaction, jobId);
  const result = { totalRecords: 1, updated: 1 };
  return { kind: "done", totalItems: 1, completedItems: 1, result, metadata: { recordsScrubbed: scrubbed } };
}

async function removeFiles(
  { postgres, files }: JobPorts,
  accountId: string,
  { account, cids }: Erasure,
): Promise<void> {
  for (const id of await filesAbout(postgres, account, cids)) {
    await files.remove({ accountId, id });
    await deleteFileRow(postgres, id);
  }
}
