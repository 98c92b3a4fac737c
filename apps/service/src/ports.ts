import type { KeyCache } from "@headwater/http";
import type { Clock, Logger, Outbound, Sealer } from "@headwater/kernel";
import type { Renderer, ResolveTxt } from "@headwater/messaging";
import type { SeenNames } from "@headwater/projection";
import type { ClickHouse } from "@headwater/stores/clickhouse";
import type { StorageSandbox } from "@headwater/stores/destinations";
import type { FileStore } from "@headwater/stores/files";
import type { JobQueue } from "@headwater/stores/jobs";
import type { SampleLog } from "@headwater/stores/lags";
import type { Postgres } from "@headwater/stores/postgres";
import type { OffsetsWatch } from "@headwater/stores/streams";
import type { FrameProducer } from "@headwater/topics";
import type { ApiKeyStore } from "./apiKeys/apiKeyStore.ts";
import type { AttributeRulesCache } from "./attributes/rulesCache.ts";
import type { AliasRevisions } from "./audiences/aliasRevisions.ts";
import type { StreamLooks } from "./consistency/streamLooks.ts";
import type { Waits } from "./consistency/waits.ts";
import type { Cursors } from "./paging/cursors.ts";

/** All that routes are made with; each takes only the ports that it uses. */
export interface ServicePorts {
  readonly postgres: Postgres;
  /** Files that jobs wrote for download. */
  readonly files: FileStore;
  /** The queue that `startJob` puts jobs into. */
  readonly queue: JobQueue;
  /** The consumer groups' offsets. */
  readonly progress: OffsetsWatch;
  readonly streamLooks: StreamLooks;
  /** Waits for receipts and counts. */
  readonly waits: Waits;
  readonly clickHouse: ClickHouse;
  readonly apiKeys: ApiKeyStore;
  readonly keys: KeyCache;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Writes activities to the log, as intake does. */
  readonly producer: Pick<FrameProducer, "append">;
  /** Opens receipts; the ingress seals them with the same one. */
  readonly secret: string;
  /** Encrypts secrets that accounts and jobs keep. Absent: the installation has no key, and none is taken. */
  readonly sealer: Sealer | undefined;
  /** True when the worker can mail. */
  readonly canMail: boolean;
  /** Ways out to hosts that accounts name. */
  readonly outbound: Outbound;
  /** Checks storages that accounts name, in processes of their own. */
  readonly storages: StorageSandbox;
  /** Ways out of message transports; the operator says which private addresses they reach. */
  readonly transportOutbound: Outbound;
  /** Finds what DNS says of the domains of transports. */
  readonly resolveTxt: ResolveTxt;
  /** The installation is a developer's own: a transport that sends nothing may be a default. */
  readonly isDevelopment: boolean;
  /** Threads that check and render contents of messages. */
  readonly renders: Renderer;
  /** Address that links of messages begin with. */
  readonly trackingUrl: string;
  /** Seals and opens the cursors of all lists. */
  readonly cursors: Cursors;
  /** Next offset of each partition of a topic; none for a topic that is not there. Rejects when Kafka is away. */
  readonly highWatermarks: HighWatermarks;
  /** Reads how old the next frames of a partition are, and how many records they hold. */
  readonly sampleLog: SampleLog;
  /** Bound of the wait for `?after=`, in milliseconds. */
  readonly afterTimeoutMs: number;
}

/** The ports of a route that waits until the records of a receipt are visible. */
export type AfterPorts = Pick<
  ServicePorts,
  "secret" | "clock" | "progress" | "streamLooks" | "waits" | "afterTimeoutMs"
>;

/** The ports of a route that writes state. */
export type WritePorts = Pick<ServicePorts, "postgres" | "clock" | "secret">;

/** Resolves to the moment (milliseconds since 1970) up to which ClickHouse has seen all that was accepted. */
export type Freshness = () => Promise<number>;

/** The same with what the service shares between routes. */
export interface RoutePorts extends ServicePorts {
  readonly freshness: Freshness;
  readonly attributeRules: AttributeRulesCache;
  readonly aliasRevisions: AliasRevisions;
  /** Names of criteria that data were found for. */
  readonly seenNames: SeenNames;
}

export type HighWatermarks = (topic: string) => Promise<
  readonly {
    readonly partition: number;
    /** First kept offset; 0 when it is unknown. */
    readonly low?: number;
    readonly high: number;
  }[]
>;
