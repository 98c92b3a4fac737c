import type { ProcessPlan } from "./supervisedProcess.ts";

/** The four things Headwater runs on. */
export type ServiceName = "kafka" | "registry" | "postgres" | "clickhouse";

/** Says in one line what is being done; `npm start` prints it. */
export type OnProgress = (line: string) => void;

/** Definition of one embedded service: how it is fetched, prepared, started and probed. */
export interface ServiceDefinition {
  readonly name: string;
  /** Written next to the data; data of another version are refused, never touched. */
  readonly dataVersion: () => Promise<string>;
  /** Brings what the service needs into the cache; returns at once when it is there. */
  readonly fetch: (onProgress: OnProgress, signal?: AbortSignal) => Promise<void>;
  /** Fills a new, empty data folder. The folder is moved into position afterwards: keep no absolute path to it. */
  readonly prepare: (folder: string) => Promise<void>;
  /** Plans the process on the prepared folder. */
  readonly launch: (folder: string) => Promise<ProcessPlan>;
  readonly isReady: (signal: AbortSignal) => Promise<boolean>;
}
