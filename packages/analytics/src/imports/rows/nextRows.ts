import { setImmediate } from "node:timers/promises";
import type { JobRejection } from "@headwater/jobs/queue/jobRejections";
import type { JobPorts } from "@headwater/jobs/runner/jobKind";
import { rowsFrom, type Source } from "@headwater/jobs/sources/openRows";
import type { Row, RowPosition } from "@headwater/jobs/sources/row";

/** Bounds of one step: what is done again after a kill, and how long a cancel waits. */
const STEP_ROWS = 10_000;
const STEP_BYTES = 4 * 1024 * 1024;
const STEP_MS = 2_000;
/** Rows that are written together. */
const ROWS_AT_ONCE = 2_000;
const BYTES_AT_ONCE = 512 * 1024;

export interface RowsDone {
  readonly at: RowPosition;
  readonly isEnd: boolean;
  readonly written: number;
  readonly rejections: readonly JobRejection[];
}

export interface StepReading {
  readonly source: Source;
  readonly accountId: string;
  readonly at: RowPosition;
  readonly decimalMembers: ReadonlySet<string> | undefined;
  /** Default 10,000. */
  readonly rowsMax?: number;
  /** Ends the step behind the rows that are being written. */
  readonly canceled?: AbortSignal;
}

/** Rows that were handed on together. */
export interface RowsHandled {
  readonly written: number;
  readonly rejections: readonly JobRejection[];
  /** No rows behind them are to be read. */
  readonly isLast?: boolean;
}

/** Reads the rows of one step and hands them on, some at a time. */
export async function nextRows(
  { source, accountId, at: from, decimalMembers, rowsMax = STEP_ROWS, canceled }: StepReading,
  ports: Pick<JobPorts, "files">,
  write: (rows: readonly Row[]) => Promise<RowsHandled>,
): Promise<RowsDone> {
  const endsAt = performance.now() + STEP_MS;
  const rejections: JobRejection[] = [];
  let rows: Row[] = [];
  let pendingFrom = from;
  let at = from;
  let written = 0;
  let isLast = false;
  const flush = async () => {
    const done = await write(rows);
    written += done.written;
    isLast = done.isLast === true;
    for (const rejection of done.rejections) rejections.push(rejection);
    rows = [];
    pendingFrom = at;
    // Others have their turn of the event loop, however fast the log is.
    await setImmediate();
  };
  const reading = { accountId, from, ...(decimalMembers && { decimalMembers }) };
  for await (const { rows: some, next } of rowsFrom(source, reading, ports)) {
    for (const row of some) rows.push(row);
    at = next;
    const isFull = rows.length >= Math.min(ROWS_AT_ONCE, rowsMax) || at.offset - pendingFrom.offset >= BYTES_AT_ONCE;
    if (isFull) await flush();
    if (isLast) break;
    if (canceled?.aborted === true && rows.length === 0) return { at, isEnd: false, written, rejections };
    const isEnough =
      at.index - from.index >= rowsMax || at.offset - from.offset >= STEP_BYTES || performance.now() > endsAt;
    if (!isEnough || at.offset >= source.file.bytes) continue;
    if (rows.length > 0) await flush();
    return { at, isEnd: isLast, written, rejections };
  }
  if (rows.length > 0) await flush();
  return { at, isEnd: true, written, rejections };
}
