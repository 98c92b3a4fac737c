import type { ExportOptions } from "@headwater/contracts";
import type { Work } from "@headwater/jobs/runner/jobKind";
import type { Staging } from "./exportKind.ts";
import type { ExportProgress } from "./progress.ts";

/** An export's step, without what is the kind's own. */
export interface Exporting extends Omit<Work<unknown, ExportProgress>, "input"> {
  readonly jobName: string;
  readonly options: ExportOptions;
  readonly showsData: boolean;
  readonly stage: (staging: Omit<Staging<unknown>, "input">) => Promise<void>;
}
