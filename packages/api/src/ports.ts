import type { ClickHouse } from "@headwater/clickhouse/clickhouse";
import type { Clock, Logger } from "@headwater/kernel";
import type { Postgres } from "@headwater/postgres/connection/postgres";
import type { OffsetsWatch } from "@headwater/postgres/streams/offsetsWatch";
import type { StreamChecks } from "./consistency/streamChecks.ts";
import type { Waits } from "./consistency/waits.ts";
import type { Cursors } from "./paging/cursors.ts";

/** Ports of every route of `/v2`; each context extends them, and each route takes only those that it uses. */
export interface RoutePorts {
  readonly postgres: Postgres;
  readonly clickHouse: ClickHouse;
  /** The consumer groups' offsets. */
  readonly progress: OffsetsWatch;
  readonly streamLooks: StreamChecks;
  /** Waits for receipts and counts. */
  readonly waits: Waits;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Opens receipts; the ingress seals them with the same one. */
  readonly secret: string;
  /** Seals and opens the cursors of all lists. */
  readonly cursors: Cursors;
  /** Next offset of each partition of a topic; none for a topic that is not there. Rejects when Kafka is away. */
  readonly highWatermarks: HighWatermarks;
  /** Bound of the wait for `?after=`, in milliseconds. */
  readonly afterTimeoutMs: number;
  readonly freshness: Freshness;
}

/** The ports of a route that waits until the records of a receipt are visible. */
export type AfterPorts = Pick<RoutePorts, "secret" | "clock" | "progress" | "streamLooks" | "waits" | "afterTimeoutMs">;

/** The ports of a route that writes state. */
export type WritePorts = Pick<RoutePorts, "postgres" | "clock" | "secret">;

/** Resolves to the instant (milliseconds since 1970) up to which ClickHouse has seen all that was accepted. */
export type Freshness = () => Promise<number>;

export type HighWatermarks = (topic: string) => Promise<
  readonly {
    readonly partition: number;
    /** First kept offset; 0 when it is unknown. */
    readonly low?: number;
    readonly high: number;
  }[]
>;
