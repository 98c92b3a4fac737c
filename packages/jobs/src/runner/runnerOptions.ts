import type { Account } from "@headwater/contracts";
import type { JobQueue } from "../queue/jobQueue.ts";
import type { JobKind, JobPorts } from "./jobKind.ts";

export interface RunnerOptions extends JobPorts {
  readonly queue: JobQueue;
  readonly kinds: ReadonlyMap<string, JobKind>;
  readonly account: (number: number) => Promise<Account | undefined>;
  readonly onEnd: (jobName: string, status: "Done" | "Failed") => void;
}
