import { subjectOf } from "@headwater/intake/operations/jsonSchema";
import type { JobRejection } from "@headwater/jobs/queue/jobRejections";
import type { JobPorts } from "@headwater/jobs/runner/jobKind";
import type { Row } from "@headwater/jobs/sources/row";
import { topicNamed } from "@headwater/topics";
import { Chunk } from "./chunks.ts";
import type { RowsHandled } from "./nextRows.ts";
import { judgeRow, type RowJudging, toEntry, tooLarge } from "./toRecords.ts";

/** Topic of the rows of imports. */
export const IMPORTS_TOPIC = "intake.bulk";

export interface RowWriting extends RowJudging {
  readonly jobId: string;
  readonly signal: AbortSignal;
  /** Rows that may be rejected; the one beyond them is the last that is looked at. */
  readonly rejectionsMax: number;
}

/** Writes rows to the log, chunk after chunk; each is acknowledged before the next one is written. */
export async function writeRows(
  rows: readonly Row[],
  writing: RowWriting,
  { producer }: Pick<JobPorts, "producer">,
): Promise<RowsHandled> {
  const { account, operation, jobId, nowMs, signal, rejectionsMax } = writing;
  const stamp = { jobId, nowMs, partitions: topicNamed(IMPORTS_TOPIC).partitions };
  const rejections: JobRejection[] = [];
  let written = 0;
  let chunk = new Chunk();
  const write = async () => {
    signal.throwIfAborted();
    const { entries } = chunk;
    if (entries.length === 0) return;
    const to = { topic: IMPORTS_TOPIC, subject: subjectOf(operation), account: account.id };
    await producer.append({ ...to, entries, isApart: true });
    written += entries.length;
    chunk = new Chunk();
  };
  for (const row of rows) {
    const judged = judgeRow(row, writing);
    const entry = judged.kind === "accepted" ? toEntry(judged, stamp) : undefined;
    if (judged.kind === "rejected") rejections.push(judged.rejection);
    else if (entry === undefined) rejections.push(tooLarge(row, writing));
    else if (!chunk.add(entry)) {
      await write();
      chunk.add(entry);
    }
    if (rejections.length > rejectionsMax) break;
  }
  await write();
  return { written, rejections, isLast: rejections.length > rejectionsMax };
}
