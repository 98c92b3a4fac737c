import type { RoutePorts as RecordPorts } from "@headwater/records/ports";
import type { SampleLog } from "./lags/lags.ts";

/** Ports of the routes of intake. */
export interface RoutePorts extends RecordPorts {
  /** Reads how old the next frames of a partition are, and how many records they hold. */
  readonly sampleLog: SampleLog;
}
