import type { JobInput } from "@headwater/contracts";
import { defineJobWithOutside, type JobKind } from "@headwater/jobs/runner/jobKind";
import type { Exporting } from "./exporting.ts";
import type { ExportJobName, ExportKind } from "./exportKind.ts";
import { exportStep, type Outcome, workOutside } from "./phases.ts";
import { type ExportProgress, exportProgress } from "./progress.ts";
import { dropLostTables } from "./stagingTables.ts";

/** Makes a job of a kind of export: the engine does all but finding the rows. */
export function defineExport<Name extends ExportJobName>(kind: ExportKind<Name>): JobKind {
  return defineJobWithOutside<Name, ExportProgress, Outcome>({
    jobName: kind.jobName,
    progress: exportProgress,
    outside: (work, ports) => workOutside(toExporting(kind, work), ports),
    step: (work, transaction, outcome) => exportStep(toExporting(kind, work), transaction, outcome),
    giveUp: dropLostTables,
  });
}

/** Hides the kind's own input from the phases, which check the options alone. */
function toExporting<Name extends ExportJobName>(
  kind: ExportKind<Name>,
  work: Omit<Exporting, "options" | "jobName" | "showsData" | "stage"> & { readonly input: JobInput<Name> },
): Exporting {
  const { input, ...rest } = work;
  return {
    ...rest,
    options: input,
    jobName: kind.jobName,
    showsData: kind.showsData === true,
    stage: (staging) => kind.stage({ ...staging, input }),
  };
}
