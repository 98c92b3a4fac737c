import { subjectOf } from "@headwater/intake/operations/jsonSchema";
import type { JobRejection } from "@headwater/jobs/queue/jobRejections";
import type { JobPorts } from "@headwater/jobs/runner/jobKind";
import type { Row } from "@headwater/jobs/sources/row";
import { type FrameEntry, topicNamed } from "@headwater/topics";
import type { RowsHandled } from "./nextRows.ts";
import { type RowJudging, toEntry, tooLarge, validateRow } from "./toRecords.ts";

/** Limits of one partition in one chunk: what a frame takes, so that a chunk is in a partition whole or not at all. */
const PARTITION_RECORDS_MAX = 500;

const PARTITION_BYTES_MAX = 480 * 1024;

const CHUNK_BYTES_MAX = 1024 * 1024;

/** Topic of the rows of imports. */
export const IMPORTS_TOPIC = "intake.bulk";

export interface RowWriting extends RowJudging {
  readonly jobId: string;
  readonly signal: AbortSignal;
  /** Rows that may be rejected; the one beyond them is the last that is checked. */
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
    const validated = validateRow(row, writing);
    const entry = validated.kind === "accepted" ? toEntry(validated, stamp) : undefined;
    if (validated.kind === "rejected") rejections.push(validated.rejection);
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

/**
 * Records that are written together. A chunk is acknowledged before the next one is written, and its records of a partition are one frame:
 * so the rows of an import stand in order in every partition, and none is missing below the greatest.
 */
class Chunk {
  readonly #entries: FrameEntry[] = [];
  readonly #records = new Map<number, number>();
  readonly #bytes = new Map<number, number>();
  #total = 0;

  get entries(): readonly FrameEntry[] {
    return this.#entries;
  }

  /** @returns false when there is no space for it. */
  add(entry: FrameEntry): boolean {
    const bytes = Buffer.byteLength(entry.text) + 1;
    const records = (this.#records.get(entry.partition) ?? 0) + 1;
    const ofPartition = (this.#bytes.get(entry.partition) ?? 0) + bytes;
    const isTooMuch =
      records > PARTITION_RECORDS_MAX || ofPartition > PARTITION_BYTES_MAX || this.#total + bytes > CHUNK_BYTES_MAX;
    if (isTooMuch && this.#entries.length > 0) return false;
    this.#entries.push(entry);
    this.#records.set(entry.partition, records);
    this.#bytes.set(entry.partition, ofPartition);
    this.#total += bytes;
    return true;
  }
}
