export { type LagPorts, type LogSample, type PartitionLag, readLags, type SampleLog } from "./lags.ts";
