import type { JobInput } from "@headwater/contracts";
import { compileMessageReport, type NumbersQuestion, REPORT_COLUMNS } from "@headwater/criteria";
import { defineExport } from "./defineExport.ts";
import type { ExportColumn, Staging } from "./exportKind.ts";

/** Writes the numbers of messages to files; few rows stand in the job itself. */
export const exportMessageAnalyticsJob = defineExport<"ExportMessageAnalytics">({
  jobName: "ExportMessageAnalytics",
  showsData: true,
  stage: stageMessages,
});

type MessagesStaging = Staging<JobInput<"ExportMessageAnalytics">>;

/** Stages the numbers of messages, newest first, and behind them those of all together where they are wanted. */
async function stageMessages({ input, account, part }: MessagesStaging): Promise<void> {
  const { timeframe, timezone, messages, basis, view, hasTotals } = input;
  if (timeframe === undefined) throw new TypeError("an export of message numbers has a timeframe");
  const {
    currency,
    messaging: { attributionDays },
  } = account.settings;
  const own = { account: account.number, currency, attributionDays };
  const question = { ...own, timezone, ...timeframe, basis, messages };
  const columns = pickColumns(input);
  const staged = await part({ columns });
  const views = hasTotals && view !== "total" ? ([view, "total"] as const) : [view];
  for (const one of views) {
    const { sql, params } = reportSql({ ...question, view: one }, columns);
    await staged.insertSelect(sql, params);
  }
}

/** Rows are about nobody: an erasure of a contact leaves them. */
function reportSql(question: NumbersQuestion, columns: readonly ExportColumn[]) {
  const { sql, params } = compileMessageReport(question);
  const picked = columns.map(({ field }, index) => `${field} AS staged${index}`);
  return { sql: `SELECT 0 AS contact, ${picked.join(", ")} FROM (${sql})`, params };
}

/** The columns that the caller asked for, or all. */
function pickColumns({ columnHeaders }: MessagesStaging["input"]): ExportColumn[] {
  if (columnHeaders === undefined) return REPORT_COLUMNS.map((column) => ({ ...column, field: column.name }));
  return columnHeaders.flatMap(({ name, label }) => {
    const column = REPORT_COLUMNS.find((one) => one.name === name);
    return column === undefined ? [] : [{ name: label ?? name, field: name, type: column.type }];
  });
}
