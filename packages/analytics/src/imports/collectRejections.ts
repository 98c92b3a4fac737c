import type { ImportJobName, JobInput } from "@headwater/contracts";
import { readImportRejects, readLastImportedRow } from "@headwater/intake/state/importCounts";
import type { JobRejection } from "@headwater/jobs/queue/jobRejections";
import type { JobPorts, Work } from "@headwater/jobs/runner/jobKind";
import type { Row } from "@headwater/jobs/sources/row";
import type { RowReader } from "./importKind.ts";
import type { ImportAt, ImportProgress } from "./importProgress.ts";
import { nextRows, type RowsDone } from "./rows/nextRows.ts";
import { pathInRow } from "./rows/pathInRow.ts";
import { rowView } from "./rows/rowView.ts";

export interface RowsCollected extends Pick<RowsDone, "at" | "isEnd" | "rejections"> {
  /** Rows that were made of those before, where the kind expands rows. */
  readonly made?: number;
}

interface Collecting {
  readonly reader: RowReader;
  readonly ports: JobPorts;
}

/** Finds the rows that the state rejected, by their place: the source is read once more up to the last one, and only where there are any. */
export async function collectRejections(
  { jobId, account }: Work<JobInput<ImportJobName>, ImportProgress>,
  { source, at, made: before }: ImportAt<"collect">,
  { reader, ports }: Collecting,
): Promise<RowsCollected> {
  const { header } = source;
  const lastOfAll = await readLastImportedRow(ports.postgres, { account: account.number, job: jobId });
  let made = before ?? 0;
  const collect = async (read: readonly Row[]) => {
    const rows = (await reader.expand?.(read, made)) ?? read;
    made += reader.expand === undefined ? 0 : rows.length;
    const [first, last] = [rows[0]?.index ?? 0, rows.at(-1)?.index ?? -1];
    const rejects = await readImportRejects(ports.postgres, { account: account.number, job: jobId, first, last });
    const byIndex = new Map(rows.map((row) => [row.index, row]));
    const rejections = rejects.flatMap(({ index, code, message, path }): JobRejection[] => {
      const row = byIndex.get(index);
      if (row === undefined) return [];
      const position = pathInRow(path, row, header);
      return [{ index, line: row.line, code, message, path: position, record: rowView(row, header) }];
    });
    return { written: 0, rejections, isLast: last >= lastOfAll };
  };
  const done = await nextRows({ source, accountId: account.id, at, decimalMembers: undefined }, ports, collect);
  return { ...done, ...(reader.expand && { made }) };
}
