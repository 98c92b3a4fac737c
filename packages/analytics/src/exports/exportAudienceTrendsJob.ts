import type { JobInput } from "@headwater/contracts";
import { storedCriteria } from "./contacts/stageContacts.ts";
import { defineExport } from "./defineExport.ts";
import type { ExportColumn, StagedCell, Staging } from "./exportKind.ts";
import { pickColumns } from "./trends/pickColumns.ts";
import { type AudienceTrend, readTrend } from "./trends/readTrend.ts";

const COLUMNS = [
  { name: "audience", type: "text" },
  { name: "segment", type: "text" },
  { name: "from", type: "moment" },
  { name: "to", type: "moment" },
  { name: "count", type: "number" },
  { name: "entered", type: "number" },
  { name: "left", type: "number" },
] as const satisfies readonly Omit<ExportColumn, "field">[];

/** Writes to files how many contacts audiences had from one instant to the next. */
export const exportAudienceTrendsJob = defineExport<"ExportAudienceTrends">({
  jobName: "ExportAudienceTrends",
  showsData: true,
  stage: stageTrends,
});

type TrendsStaging = Staging<JobInput<"ExportAudienceTrends">>;

/** Stages a row for each audience, segment and stretch of time, in that order. */
async function stageTrends(staging: TrendsStaging): Promise<void> {
  const { audiences, bounds, columnHeaders } = staging.input;
  const { columns, pick } = pickColumns(COLUMNS, columnHeaders);
  const part = await staging.part({ columns });
  for (const { node, label } of audiences) {
    const trends = await readTrend(storedCriteria.parse(node), staging);
    await part.insertRows(rowsOf(trends, { label, bounds, pick }));
  }
}

interface RowForm {
  readonly label: string;
  readonly bounds: readonly number[];
  readonly pick: (row: Readonly<Record<string, StagedCell>>) => readonly StagedCell[];
}

async function* rowsOf(
  trends: readonly AudienceTrend[],
  { label, bounds, pick }: RowForm,
): AsyncGenerator<readonly StagedCell[]> {
  for (const { segment, entered, left } of trends) {
    let count = entered[0] ?? 0;
    for (const [index, to] of bounds.entries()) {
      if (index === 0) continue;
      const [came, went] = [entered[index] ?? 0, left[index] ?? 0];
      count += came - went;
      const from = bounds[index - 1] ?? to;
      yield pick({ audience: label, segment, from, to, count, entered: came, left: went });
    }
  }
}
