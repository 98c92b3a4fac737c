import { subjectOf } from "@headwater/operations";
import type { JobRejection } from "@headwater/stores/jobs";
import { topicNamed } from "@headwater/topics";
import type { JobPorts } from "../../runner/jobKind.ts";
import type { Row } from "../source/row.ts";
import { Chunk } from "./chunks.ts";
import { judgeRow, type RowJudging, toEntry, tooLarge } from "./toRecords.ts";

const TOPIC = "intake.bulk";

export interface RowsWritten {
  readonly written: number;
  readonly rejections: readonly JobRejection[];
}

export interface RowWriting extends RowJudging {
  readonly jobId: string;
  readonly signal: AbortSignal;
}

/** Writes rows to the log, chunk after chunk; each is acknowledged before the next one is written. */
export async function writeRows(
  rows: readonly Row[],
  writing: RowWriting,
  { producer }: Pick<JobPorts, "producer">,
): Promise<RowsWritten> {
  const { account, operation, jobId, nowMs, signal } = writing;
  const stamp = { jobId, nowMs, partitions: topicNamed(TOPIC).partitions };
  const rejections: JobRejection[] = [];
  let written = 0;
  let chunk = new Chunk();
  const write = async () => {
    signal.throwIfAborted();
    const { entries } = chunk;
    if (entries.length === 0) return;
    await producer.append({ topic: TOPIC, subject: subjectOf(operation), account: account.id, entries, isApart: true });
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
  }
  await write();
  return { written, rejections };
}
