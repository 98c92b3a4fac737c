import type { JobInput } from "@headwater/contracts";
import type { JobPorts, Work } from "../runner/jobKind.ts";
import { importFailed } from "./importError.ts";
import type { ImportJobName, SourceKind } from "./importKind.ts";
import { openSource, type Source } from "./source/openRows.ts";
import { type Staged, stageSource } from "./source/stage.ts";

export interface ImportBegun {
  readonly source: Source;
  readonly metadata: object;
}

const TOLD_COLUMNS_MAX = 1_000;

/** Makes the source readable and looks at its columns, before the first row. @throws HeadwaterError for a source that cannot be imported. */
export async function beginImport<Name extends ImportJobName>(
  {
    jobId,
    account,
    input,
    nowMs,
    signal,
  }: Pick<Work<JobInput<Name>, unknown>, "jobId" | "account" | "input" | "nowMs" | "signal">,
  ports: JobPorts,
  kind: SourceKind<JobInput<Name>>,
): Promise<ImportBegun> {
  const { upload, encoding } = input;
  const staged = await stageSource({ jobId, account, upload, encoding, nowMs, signal }, ports);
  const source = await openSource(staged, { accountId: account.id, options: input }, ports);
  const { header, form } = source;
  if (kind.isJsonOnly === true && form.format !== "jsonl") throw importFailed("The source must be lines of JSON.");
  const reader = await kind.reader({ account, input, header, isDryRun: input.dryRun === true, nowMs }, ports);
  const { newAttributes, newLists, ignoredColumns } = reader;
  const metadata = {
    detected: detectedOf(staged, source, input.hasHeader === true),
    source: { sha256: staged.sha256 },
    progress: { bytes: source.from.offset, bytesTotal: source.file.bytes },
    ...(newAttributes.length > 0 && { newAttributes: newAttributes.slice(0, TOLD_COLUMNS_MAX) }),
    ...(newLists.length > 0 && { newLists: newLists.slice(0, TOLD_COLUMNS_MAX) }),
    ...(ignoredColumns.length > 0 && { ignoredColumns: ignoredColumns.slice(0, TOLD_COLUMNS_MAX) }),
  };
  return { source, metadata };
}

function detectedOf({ encoding, compression }: Staged, { form, header }: Source, hasHeader: boolean): object {
  const { format, delimiter } = form;
  const shared = { format, encoding, compression };
  if (header === null) return shared;
  return { ...shared, delimiter, hasHeader, columns: header.slice(0, TOLD_COLUMNS_MAX) };
}
