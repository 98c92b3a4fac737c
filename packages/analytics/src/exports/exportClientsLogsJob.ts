import { type LogEntry, type LogFilters, pageLogEntries } from "@headwater/api/accountLog/pageLog";
import { type JobInput, type LogColumn, logColumns } from "@headwater/contracts";
import type { Postgres } from "@headwater/postgres/connection/postgres";
import { defineExport } from "./defineExport.ts";
import type { ColumnType, ExportColumn, StagedCell, Staging } from "./exportKind.ts";

const PAGE_ROWS = 5_000;

/** All others are texts. */
const types: Readonly<Partial<Record<LogColumn, ColumnType>>> = {
  id: "id",
  at: "moment",
  details: "object",
  members: "object",
};

/** Writes an account's log to files: read from Postgres page by page, as a copy in ClickHouse would be one more thing to erase. */
export const exportLogJob = defineExport<"ExportClientsLogs">({ jobName: "ExportClientsLogs", stage: stageLog });

type Input = JobInput<"ExportClientsLogs">;

type Column = ExportColumn & { readonly field: LogColumn };

/** Stages the entries of the timeframe, in order of their time. */
async function stageLog({ account, input, postgres, part, signal }: Staging<Input>): Promise<void> {
  const columns = columnsOf(input);
  const { timeframe, level, category } = input;
  const { insertRows } = await part({ columns });
  const filters = { account: account.number, ...timeframe, level, category };
  await insertRows(rowsOf(postgres, { filters, columns, signal }));
}

function columnsOf({ columnHeaders = logColumns.map((name) => ({ name })) }: Input): Column[] {
  return columnHeaders.flatMap(({ name, label }: { readonly name: string; readonly label?: string | undefined }) => {
    const field = logColumns.find((known) => known === name);
    return field === undefined ? [] : [{ name: label ?? name, field, type: types[field] ?? "text" }];
  });
}

interface Reading {
  readonly filters: LogFilters;
  readonly columns: readonly Column[];
  readonly signal: AbortSignal;
}

async function* rowsOf(postgres: Postgres, { filters, columns, signal }: Reading): AsyncGenerator<StagedCell[]> {
  for (let after: LogEntry | undefined; ; ) {
    signal.throwIfAborted();
    const page: LogEntry[] = await pageLogEntries(postgres, filters, { after, rowsMax: PAGE_ROWS });
    for (const entry of page) yield columns.map(({ field }) => entry[field]);
    after = page.at(-1);
    if (page.length < PAGE_ROWS) return;
  }
}
