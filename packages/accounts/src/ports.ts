import type { RoutePorts as ApiPorts } from "@headwater/api/ports";
import type { KeyCache } from "@headwater/http";
import type { StorageSandbox } from "@headwater/jobs/destinations/sandbox/storageSandbox";
import type { FileStore } from "@headwater/jobs/files/fileStore";
import type { JobQueue } from "@headwater/jobs/queue/jobQueue";
import type { Outbound, Sealer } from "@headwater/kernel";
import type { FrameProducer } from "@headwater/topics";
import type { AccountHooks } from "./accounts/accountHooks.ts";
import type { ApiKeyStore } from "./apiKeys/apiKeyStore.ts";

/** Ports of the routes of accounts, and of every context above. */
export interface RoutePorts extends ApiPorts {
  /** Checks and work of contexts above when the settings of an account change. */
  readonly accountHooks: AccountHooks;
  readonly apiKeys: ApiKeyStore;
  readonly keys: KeyCache;
  /** Files that jobs wrote for download. */
  readonly files: FileStore;
  /** The queue that `startJob` puts jobs into. */
  readonly queue: JobQueue;
  /** Writes activities to the log, as intake does. */
  readonly producer: Pick<FrameProducer, "append">;
  /** Encrypts secrets that accounts and jobs keep. Absent: the installation has no key, and none is taken. */
  readonly sealer: Sealer | undefined;
  /** True when the worker can mail. */
  readonly canMail: boolean;
  /** Ways out to hosts that accounts name. */
  readonly outbound: Outbound;
  /** Checks storages that accounts name, in processes of their own. */
  readonly storages: StorageSandbox;
}
